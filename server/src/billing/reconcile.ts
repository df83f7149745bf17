import type { Context } from '../context.ts';
import { runIfDue } from '../jobs/schedule.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { processEvent } from './payment-events.ts';

const RECONCILE_EVERY_SECONDS = 24 * 60 * 60;
/** Stripe lists events for 30 days. */
const LOOK_BACK_MS = 30 * DAY_MS;

/** Once a day, processes the events in the provider's list that never reached us. Returns their number. */
export function reconcilePaymentsDaily(ctx: Context): Promise<number> {
  return runIfDue(ctx.db, 'payments.reconcile', RECONCILE_EVERY_SECONDS, () => reconcilePayments(ctx));
}

export async function reconcilePayments(ctx: Context): Promise<number> {
  const since = new Date(ctx.clock().getTime() - LOOK_BACK_MS);
  let missedCount = 0;
  for await (const event of ctx.payments.listEvents(since)) {
    if (!(await processEvent(ctx, event))) continue;
    missedCount += 1;
    ctx.log.warn(
      { eventId: event.id, eventType: event.type },
      'Found a payment event that had not reached us',
    );
  }
  return missedCount;
}
