import type { Expiry } from '../platform/expiry.ts';
import { INVOICE_EVENTS } from './store.ts';

/** Nothing reads a session or a quote once it has expired; a week leaves time to look into a customer's complaint. */
const KEPT_AFTER_EXPIRY = `interval '7 days'`;

export const BILLING_EXPIRY: readonly Expiry[] = [
  { table: 'plan_changes', where: `expires_at < now() - ${KEPT_AFTER_EXPIRY}` },
  { table: 'sandbox_sessions', where: `expires_at < now() - ${KEPT_AFTER_EXPIRY}` },
  // Stripe lists events for 30 days (reconcile.ts), and a listed event that we had deleted would be processed again. Twice that is safe.
  // The condition matches the index payment_events_expiry.
  {
    table: 'payment_events',
    where: `received_at < now() - interval '60 days'
      and (workspace_id is null or not (${INVOICE_EVENTS}))`,
  },
];
