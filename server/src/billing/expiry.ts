import type { Expiry } from '../platform/expiry.ts';
import { INVOICE_EVENTS } from './store.ts';

export const BILLING_EXPIRY: readonly Expiry[] = [
  { table: 'plan_changes', where: `expires_at < now() - interval '7 days'` },
  { table: 'sandbox_sessions', where: `expires_at < now() - interval '7 days'` },
  // Twice as long as the provider tells of an event again (reconcile.ts): one that was forgotten sooner would count once more. As the index
  // payment_events_expiry has it.
  {
    table: 'payment_events',
    where: `received_at < now() - interval '60 days'
      and (workspace_id is null or not (${INVOICE_EVENTS}))`,
  },
];
