import { recordAudit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { queueMailToOwner } from '../mail/owner-mail.ts';
import type { Transaction } from '../platform/postgres.ts';
import { planInForce } from '../usage/plans.ts';
import { grantMonth } from '../usage/usage.ts';
import type { ProviderEvent } from './payment-provider.ts';
import * as store from './store.ts';
import {
  accountStateOf,
  applyChange,
  newSubscription,
  type SubscriptionChange,
} from './subscription-state.ts';
import { deleteSubscriptions, listSubscriptions, saveSubscription } from './subscription-store.ts';

/**
 * An event takes effect once, in the transaction that records it. The order of arrival does not matter: each event changes one
 * subscription, and the account is computed from all its subscriptions (subscription-state.ts).
 */
export async function receivePaymentEvent(
  ctx: Context,
  rawBody: Buffer,
  signatureHeader: string | null,
): Promise<{ accepted: boolean; eventType: string }> {
  const event = ctx.payments.readEvent(rawBody, signatureHeader, ctx.clock());
  await processEvent(ctx, event);
  return { accepted: event.change.kind !== 'unknown', eventType: event.type };
}

/** Returns false for an event processed before. One that arrived before its customer was known is processed again. */
export function processEvent(ctx: Context, event: ProviderEvent): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const isNew = await store.insertPaymentEvent(tx, event);
    if (!isNew && (await store.lockPaymentOutcome(tx, event.id)) !== UNKNOWN_CUSTOMER) return false;
    if (event.customerId !== null) await store.assignPaymentEvents(tx, event.customerId);
    const outcome = await applyEvent(ctx, tx, event);
    await store.savePaymentOutcome(tx, event.id, outcome);
    return isNew || outcome !== UNKNOWN_CUSTOMER;
  });
}

const UNKNOWN_CUSTOMER = 'unknown_customer';

/** Returns the outcome to store with the event. */
async function applyEvent(ctx: Context, tx: Transaction, event: ProviderEvent): Promise<string> {
  const { change } = event;
  if (change.kind === 'unknown' || change.kind === 'noted') return 'no_effect';
  const account = event.customerId ? await store.lockAccountOfCustomer(tx, event.customerId) : null;
  if (!account) {
    // A customer that no account has was deleted by us (deleteUnusedCustomer).
    if (change.kind !== 'customer_deleted')
      ctx.log.error({ eventId: event.id, eventType: event.type }, 'Payment event for an unknown customer');
    return UNKNOWN_CUSTOMER;
  }
  const changed =
    change.kind === 'customer_deleted'
      ? await forgetCustomer(tx, account)
      : await changeSubscription(tx, account, change, event);
  if (!changed) return 'stale';
  const { subscriptionId } = changed;
  if (subscriptionId !== null && (await store.isWorkspaceClosed(tx, account.workspaceId))) {
    ctx.log.error(
      { eventId: event.id, customerId: event.customerId, subscriptionId },
      'A subscription of a closed workspace is being charged: cancel it at the provider',
    );
    return 'workspace_closed';
  }
  await store.saveAccount(tx, changed);
  // Grants the month's credits now, for the old and the new plan, instead of waiting for the next analysis: a workspace whose plan ends
  // keeps the credits of this month.
  const now = ctx.clock();
  for (const state of [account, changed])
    await grantMonth(tx, account.workspaceId, planInForce(state, now), now);
  await recordAudit(tx, ctx, {
    workspaceId: account.workspaceId,
    action: 'billing.update',
    targetType: 'workspace',
    targetId: account.workspaceId,
    metadata: {
      event_type: event.type,
      plan: changed.plan,
      status: changed.status,
      previous_plan: account.plan,
    },
  });
  if (account.status !== 'past_due') await notifyOwnerOfFailedPayment(ctx, tx, changed);
  return 'applied';
}

async function notifyOwnerOfFailedPayment(
  ctx: Context,
  tx: Transaction,
  { workspaceId, plan, status, graceUntil }: store.BillingAccount,
): Promise<void> {
  if (status !== 'past_due' || graceUntil === null) return;
  await queueMailToOwner(tx, ctx, {
    workspaceId,
    preference: 'billing_updates',
    subject: 'Your payment for Earshot failed',
    bodyText:
      `The payment for your ${plan} plan did not go through. Your limits stay as they are until ` +
      `${graceUntil.toISOString()}; after that the workspace returns to the free plan.`,
  });
}

async function changeSubscription(
  tx: Transaction,
  account: store.BillingAccount,
  change: SubscriptionChange,
  event: ProviderEvent,
): Promise<store.BillingAccount | null> {
  const { workspaceId } = account;
  const known = await listSubscriptions(tx, workspaceId);
  const before =
    known.find(({ id }) => id === change.subscriptionId) ?? newSubscription(change.subscriptionId);
  const after = applyChange(before, change, event);
  if (!after) return null;
  await saveSubscription(tx, workspaceId, after);
  return { ...account, ...accountStateOf([...known.filter(({ id }) => id !== after.id), after]) };
}

async function forgetCustomer(tx: Transaction, account: store.BillingAccount): Promise<store.BillingAccount> {
  await deleteSubscriptions(tx, account.workspaceId);
  return { ...account, ...accountStateOf([]), customerId: null, status: 'canceled' };
}
