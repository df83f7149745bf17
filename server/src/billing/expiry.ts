import type { Expiry } from '../platform/expiry.ts';
import { INVOICE_EVENTS } from './store.ts';

export const BILLING_EXPIRY: readonly Expiry[] = [
  { table: 'plan_changes', where: `expires_at < now() - interval '7 days'` },
  { table: 'sandbox_sessions', where: `expires_at < now() - interval '7 days'` },
  // Twice the time for which the provider lists an event (reconcile.ts): an event deleted sooner would be handled again. The condition
  // is that of the index payment_events_expiry.
  {
    table: 'payment_events',
    where: `received_at < now() - interval '60 days'
      and (workspace_id is null or not (${INVOICE_EVENTS}))`,
  },
];
