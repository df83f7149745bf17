import type { Context } from '../context.ts';
import { queueMailToOwner } from '../mail/owner-mail.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { failWaitingDeliveries } from './delivery-store.ts';
import { disableEndpoint, markEndpointFailing } from './endpoint-store.ts';

/** As docs/guides/webhooks.md promises: an endpoint that has only failed for so long is disabled. */
const FAILING_MS_MAX = 5 * DAY_MS;

/** Status 410 from a receiver means that it wants no more calls. */
export function noteEndpointGone(ctx: Context, tx: Transaction, endpointId: string): Promise<void> {
  return disable(ctx, tx, endpointId, 'The receiver answered 410 Gone.');
}

/** Returns whether the endpoint may be called again; disables one that has only failed for five days. */
export async function noteEndpointFailure(
  ctx: Context,
  tx: Transaction,
  endpointId: string,
): Promise<boolean> {
  const now = ctx.clock();
  const failingSince = await markEndpointFailing(tx, endpointId, now);
  if (now.getTime() - failingSince.getTime() < FAILING_MS_MAX) return true;
  await disable(ctx, tx, endpointId, `No call has succeeded since ${failingSince.toISOString()}.`);
  return false;
}

/** Notifies the owner by mail, since a disabled endpoint is an outage that they would not notice. */
async function disable(ctx: Context, tx: Transaction, endpointId: string, reason: string): Promise<void> {
  const endpoint = await disableEndpoint(tx, endpointId, reason);
  if (!endpoint) return;
  await failWaitingDeliveries(tx, endpointId, 'The endpoint was disabled');
  await queueMailToOwner(tx, ctx, {
    workspaceId: endpoint.workspaceId,
    preference: null,
    subject: 'A webhook endpoint was disabled',
    bodyText: [
      `Earshot has stopped calling ${endpoint.url}.`,
      reason,
      `Enable the endpoint ${endpointId} again when its receiver is back; the events that failed in the meantime can be sent again.`,
    ].join('\n\n'),
  });
}
