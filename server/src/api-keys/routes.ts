import { operations } from '@earshot/contract';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { presentApiKey, presentNewApiKey } from './present.ts';

const { listApiKeys: list, createApiKey: create, revokeApiKey: revoke } = operations.apiKeys;

export const apiKeyRoutes = [
  implement(list, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listApiKeys(ctx, page), presentApiKey),
  ),

  implement(create, (ctx, { body }, raw) =>
    withIdempotency(ctx, requestOf(create, raw), async (tx) => ({
      status: 201,
      body: presentNewApiKey(await createApiKey(ctx, tx, body)),
    })),
  ),

  implement(revoke, async (ctx, { params }) => {
    await ctx.db.transaction((tx) => revokeApiKey(ctx, tx, params.api_key_id));
    return { status: 200, body: { revoked: true } };
  }),
];
