import type { Context } from '../context.ts';
import { queueMailToOwner } from '../mail/owner-mail.ts';
import type { Transaction } from '../platform/postgres.ts';
import { failWaitingDeliveries } from './delivery-store.ts';
import { disableEndpoint, findEndpoint, markEndpointFailing } from './endpoint-store.ts';

/** Five days, as the contract promises. */
const FAILING_MS_MAX = 5 * 24 * 60 * 60 * 1000;

/** The receiver answered 410: it wants no more calls. */
export function noteEndpointGone(ctx: Context, tx: Transaction, endpointId: string): Promise<void> {
  return disable(ctx, tx, endpointId, 'The receiver answered 410 Gone.');
}

/** Answers whether the endpoint may be called again: one that has only failed for five days may not. */
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

/** A disabled endpoint is a silent outage for its owner, so the owner is told by another channel. */
async function disable(ctx: Context, tx: Transaction, endpointId: string, reason: string): Promise<void> {
  if (!(await disableEndpoint(tx, endpointId, reason))) return;
  await failWaitingDeliveries(tx, endpointId, 'The endpoint was disabled');
  const endpoint = await findEndpoint(tx, endpointId);
  if (!endpoint) return;
  await queueMailToOwner(tx, ctx, {
    workspaceId: endpoint.workspaceId,
    preference: null,
    subject: 'A webhook endpoint was disabled',
    bodyText: [
      `Earshot has stopped calling ${endpoint.url}.`,
      reason,
      `Enable the endpoint ${endpoint.id} again when its receiver is back; what failed meanwhile can be sent again.`,
    ].join('\n\n'),
  });
}
