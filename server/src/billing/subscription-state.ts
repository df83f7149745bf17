import type { PlanName } from '../usage/plans.ts';
import type { ProviderChange } from './payment-provider.ts';
import type { BillingAccount } from './store.ts';

/**
 * One subscription as the provider's events tell it. Every field only grows (a newer version, a larger set), so the same
 * events end in the same state whatever their order and however often each comes.
 */
export type Subscription = {
  id: string;
  /** Null until an event has named a price of ours. */
  plan: PlanName | null;
  /** Of the newest word on the plan, and the event that said it. */
  version: number;
  eventId: string;
  endedVersion: number;
  paidVersion: number;
  /** Failed payments since the last that was made. */
  failedVersions: number[];
};

export type SubscriptionChange = Extract<ProviderChange, { subscriptionId: string }>;

/** Before any event: every version is above 0, and every name behind ''. */
export function newSubscription(id: string): Subscription {
  return { id, plan: null, version: 0, eventId: '', endedVersion: 0, paidVersion: 0, failedVersions: [] };
}

/** The subscription after the change, or null when newer events have said all of it. Pure. */
export function applyChange(
  subscription: Subscription,
  change: SubscriptionChange,
  event: { id: string; createdAt: Date },
): Subscription | null {
  const version = versionOf(event.createdAt, change.rank);
  switch (change.kind) {
    case 'subscription': {
      const failing =
        change.payment === 'failed' ? notePayment(subscription, 'failed', version) : subscription;
      if (!isNewer(version, event.id, subscription)) return failing === subscription ? null : failing;
      return { ...(failing ?? subscription), plan: change.plan, version, eventId: event.id };
    }
    case 'subscription_ended':
      return version <= subscription.endedVersion ? null : { ...subscription, endedVersion: version };
    case 'payment':
      return notePayment(subscription, change.payment, version);
  }
}

/** Seconds of the provider's clock, then the place in a subscription's life. */
function versionOf(createdAt: Date, rank: number): number {
  return Math.floor(createdAt.getTime() / 1000) * 10 + rank;
}

function timeOf(version: number): Date {
  return new Date(Math.floor(version / 10) * 1000);
}

/** Two words of one second and rank: neither is known to be later, so the name decides, the same way every time. */
function isNewer(version: number, eventId: string, current: Subscription): boolean {
  return version > current.version || (version === current.version && eventId > current.eventId);
}

function notePayment(
  subscription: Subscription,
  payment: 'paid' | 'failed',
  version: number,
): Subscription | null {
  const { paidVersion, failedVersions } = subscription;
  if (version <= paidVersion || failedVersions.includes(version)) return null;
  if (payment === 'failed') return { ...subscription, failedVersions: [...failedVersions, version] };
  return {
    ...subscription,
    paidVersion: version,
    failedVersions: failedVersions.filter((failed) => failed > version),
  };
}

/** A failed payment keeps the limits of the plan for a week. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;
const PLAN_ORDER: readonly PlanName[] = ['free', 'pro', 'scale'];

export type AccountState = Pick<BillingAccount, 'subscriptionId' | 'plan' | 'status' | 'graceUntil'>;

/** Where the account stands by all its subscriptions: what is paid for holds, and of several the largest plan. */
export function accountStateOf(subscriptions: readonly Subscription[]): AccountState {
  const [holding] = subscriptions
    .filter((one) => one.plan !== null && one.version > one.endedVersion)
    .sort((a, b) => compareStanding(a, b));
  if (!holding?.plan) return { subscriptionId: null, plan: 'free', status: 'active', graceUntil: null };
  const failures = failuresOf(holding);
  const standing = { subscriptionId: holding.id, plan: holding.plan };
  if (failures.length === 0) return { ...standing, status: 'active', graceUntil: null };
  const graceUntil = new Date(timeOf(Math.min(...failures)).getTime() + GRACE_MS);
  return { ...standing, status: 'past_due', graceUntil };
}

/** A failure before the subscription ended and began anew is settled. */
function failuresOf({ failedVersions, endedVersion }: Subscription): number[] {
  return failedVersions.filter((version) => version > endedVersion);
}

function compareStanding(a: Subscription, b: Subscription): number {
  const paid = Math.sign(failuresOf(a).length) - Math.sign(failuresOf(b).length);
  const plan = PLAN_ORDER.indexOf(b.plan ?? 'free') - PLAN_ORDER.indexOf(a.plan ?? 'free');
  return paid || plan || b.version - a.version || (a.id < b.id ? -1 : 1);
}
