import type { PlanName } from '../usage/plans.ts';
import type { ProviderChange } from './payment-provider.ts';
import type { BillingAccount } from './store.ts';

/**
 * One subscription as the provider's events describe it. Applying the same events gives the same state whatever their order, and
 * however often each arrives: a field changes only for a newer version.
 */
export type Subscription = {
  id: string;
  /** Null until an event has named a price of ours. */
  plan: PlanName | null;
  /** Version and id of the event that set the plan. */
  version: number;
  eventId: string;
  endedVersion: number;
  paidVersion: number;
  /** Failed payments since the last successful one. */
  failedVersions: number[];
};

export type SubscriptionChange = Extract<ProviderChange, { subscriptionId: string }>;

/** Before any event. 0 and '' are less than every version and every event id. */
export function newSubscription(id: string): Subscription {
  return { id, plan: null, version: 0, eventId: '', endedVersion: 0, paidVersion: 0, failedVersions: [] };
}

/** The subscription after the change; null when the change has no effect, being old or a repeat. */
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

/** Orders events by the provider's seconds, and within a second by rank, which is one digit. */
function versionOf(createdAt: Date, rank: number): number {
  return Math.floor(createdAt.getTime() / 1000) * 10 + rank;
}

function timeOf(version: number): Date {
  return new Date(Math.floor(version / 10) * 1000);
}

/** Of two events with the same version neither is known to be later: the greater id wins, so that the order of arrival does not matter. */
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

/** Chosen: after a failed payment the limits of the plan still hold for a week. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;
const PLAN_ORDER: readonly PlanName[] = ['free', 'pro', 'scale'];

export type AccountState = Pick<BillingAccount, 'subscriptionId' | 'plan' | 'status' | 'graceUntil'>;

/** The state of an account from all its subscriptions: a paid one counts first, then the one with the largest plan. */
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

/** A failure before the subscription ended does not count after it has started again. */
function failuresOf({ failedVersions, endedVersion }: Subscription): number[] {
  return failedVersions.filter((version) => version > endedVersion);
}

function compareStanding(a: Subscription, b: Subscription): number {
  const paid = Math.sign(failuresOf(a).length) - Math.sign(failuresOf(b).length);
  const plan = PLAN_ORDER.indexOf(b.plan ?? 'free') - PLAN_ORDER.indexOf(a.plan ?? 'free');
  return paid || plan || b.version - a.version || (a.id < b.id ? -1 : 1);
}
