import type { Expiry } from '../platform/expiry.ts';

export const BILLING_EXPIRY: readonly Expiry[] = [
  { table: 'plan_changes', where: `expires_at < now() - interval '7 days'` },
  { table: 'sandbox_sessions', where: `expires_at < now() - interval '7 days'` },
];
