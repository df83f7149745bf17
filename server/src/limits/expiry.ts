import type { Expiry } from '../platform/expiry.ts';

export const LIMITS_EXPIRY: readonly Expiry[] = [
  // No limit has a window longer than a day.
  { table: 'rate_limit_counters', where: `window_start < now() - interval '2 days'` },
];
