import type { ProviderChange } from './payment-provider.ts';
import type { BillingAccount } from './store.ts';

/** A failed payment keeps the limits of the plan for a week. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;

/** The account after the change, or null when a newer event has been here. Pure. */
export function applyChange(
  account: BillingAccount,
  change: Exclude<ProviderChange, { kind: 'unknown' } | { kind: 'noted' }>,
  createdAt: Date,
  now: Date,
): BillingAccount | null {
  if (change.kind === 'customer_deleted') {
    return {
      ...account,
      customerId: null,
      subscriptionId: null,
      plan: 'free',
      status: 'canceled',
      graceUntil: null,
    };
  }
  // Seconds of the provider's clock, then the place in a subscription's life.
  const version = Math.floor(createdAt.getTime() / 1000) * 10 + change.rank;
  if (change.kind === 'payment') {
    if (version <= account.paymentVersion) return null;
    return { ...account, ...paymentFields(change.payment, createdAt), paymentVersion: version };
  }
  if (version <= account.subscriptionVersion) return null;
  if (change.kind === 'subscription_ended') {
    return {
      ...account,
      subscriptionId: null,
      plan: 'free',
      status: 'active',
      graceUntil: null,
      subscriptionVersion: version,
      paymentVersion: Math.max(version, account.paymentVersion),
    };
  }
  const subscribed = {
    ...account,
    subscriptionId: change.subscriptionId,
    plan: change.plan,
    status: account.status === 'canceled' ? ('active' as const) : account.status,
    subscriptionVersion: version,
  };
  if (change.payment === null || version <= account.paymentVersion) return subscribed;
  return { ...subscribed, ...paymentFields(change.payment, now), paymentVersion: version };
}

function paymentFields(payment: 'paid' | 'failed', at: Date): Pick<BillingAccount, 'status' | 'graceUntil'> {
  return payment === 'paid'
    ? { status: 'active', graceUntil: null }
    : { status: 'past_due', graceUntil: new Date(at.getTime() + GRACE_MS) };
}
