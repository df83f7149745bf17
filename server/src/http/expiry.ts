import type { Expiry } from '../platform/expiry.ts';

export const HTTP_EXPIRY: readonly Expiry[] = [{ table: 'idempotency_keys', where: 'expires_at < now()' }];
