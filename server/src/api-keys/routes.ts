import { operations } from '@earshot/contract';
import { withIdempotency } from '../http/idempotency.ts';
import { implement } from '../http/implement.ts';
import { pageAnswer } from '../http/page.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { presentApiKey, presentNewApiKey } from './present.ts';

const { listApiKeys: list, createApiKey: create, revokeApiKey: revoke } = operations.workspaceResources;

export const apiKeyRoutes = [
  implement(list, async (ctx, { query }, raw) => {
    const { limit, after } = query;
    const rows = await listApiKeys(ctx, { limit: limit + 1, after });
    return pageAnswer(raw, rows, limit, presentApiKey);
  }),

  implement(create, async (ctx, { body }, { idempotencyKey, requestHash }) =>
    withIdempotency(ctx, { scope: create.id, key: idempotencyKey, requestHash }, async (tx) => ({
      status: 201,
      body: presentNewApiKey(await createApiKey(ctx, tx, body)),
    })),
  ),

  implement(revoke, async (ctx, { params }) => {
    await ctx.db.transaction((tx) => revokeApiKey(ctx, tx, params.api_key_id));
    return { status: 200, body: { revoked: true } };
  }),
];
