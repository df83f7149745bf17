import { getUsage } from '@earshot/contract';
import { type Implementation, implement } from '../http/implement.ts';
import { readStorageUse } from '../storage-objects/quota.ts';
import { presentKeyUsage, presentUsage } from './present.ts';
import { readCredits, readUsage } from './usage.ts';

export const usageRoutes: Implementation[] = [
  implement(getUsage, async (ctx, _input, raw) => {
    const { workspaceId } = ctx.actor;
    const now = ctx.clock();
    const storage = await readStorageUse(ctx, ctx.db, workspaceId);
    // One path serves both surfaces; the X-API-Key header decides the shape of the response.
    if (raw.request.headers['x-api-key'] !== undefined) {
      return { status: 200, body: presentKeyUsage(await readCredits(ctx.db, workspaceId, now), storage) };
    }
    return {
      status: 200,
      body: presentUsage(workspaceId, await readUsage(ctx.db, workspaceId, now), storage),
    };
  }),
];
