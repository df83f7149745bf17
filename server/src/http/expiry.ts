import type { Expiry } from '../platform/expiry.ts';

export const HTTP_EXPIRY: readonly Expiry[] = [
  { table: 'idempotency_keys', where: 'expires_at < now()' },
  // No limit has a window longer than a day.
  { table: 'rate_limit_counters', where: `window_start < now() - interval '2 days'` },
];
