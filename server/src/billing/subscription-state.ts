import { DAY_MS } from '../platform/time-units.ts';
import { PLAN_NAMES, type PlanName } from '../usage/plans.ts';
import type { ProviderChange } from './payment-provider.ts';
import type { BillingAccount } from './store.ts';

/**
 * One subscription as described by the provider's events. The same events give the same state in any order and with any number of
 * repeats, because a field changes only for a newer version.
 */
export type Subscription = {
  id: string;
  /** Null until an event has named a price of ours. */
  plan: PlanName | null;
  /** Version (`versionOf`) and id of the event that set the plan. */
  version: number;
  eventId: string;
  endedVersion: number;
  paidVersion: number;
  /** Failed payments since the last successful one. */
  failedVersions: number[];
};

export type SubscriptionChange = Extract<ProviderChange, { subscriptionId: string }>;

/** The state before any event. 0 and '' compare as less than every version and event id, so they need no special case. */
export function newSubscription(id: string): Subscription {
  return { id, plan: null, version: 0, eventId: '', endedVersion: 0, paidVersion: 0, failedVersions: [] };
}

/** Returns the subscription after the change; null when the change has no effect because it is outdated or a repeat. */
export function applyChange(
  subscription: Subscription,
  change: SubscriptionChange,
  event: { id: string; createdAt: Date },
): Subscription | null {
  const version = versionOf(event.createdAt, change.rank);
  switch (change.kind) {
    case 'subscription': {
      const failing = change.payment === 'failed' ? notePayment(subscription, 'failed', version) : null;
      if (!isNewer(version, event.id, subscription)) return failing;
      return { ...(failing ?? subscription), plan: change.plan, version, eventId: event.id };
    }
    case 'subscription_ended':
      return version <= subscription.endedVersion ? null : { ...subscription, endedVersion: version };
    case 'payment':
      return notePayment(subscription, change.payment, version);
  }
}

/** Orders events by the provider's time in whole seconds, and within a second by rank, which is a single digit. */
function versionOf(createdAt: Date, rank: number): number {
  return Math.floor(createdAt.getTime() / 1000) * 10 + rank;
}

function timeOf(version: number): Date {
  return new Date(Math.floor(version / 10) * 1000);
}

/** Which of two events with the same version is later is unknown; the greater id wins, so that the order of arrival does not matter. */
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

/** The guide (docs/guides/billing.md) promises seven days with the plan's limits after a failed payment. */
const GRACE_MS = 7 * DAY_MS;

export type AccountState = Pick<BillingAccount, 'subscriptionId' | 'plan' | 'status' | 'graceUntil'>;

/** Derives an account's state from all its subscriptions: paid ones take precedence over unpaid, then the larger plan. */
export function accountStateOf(subscriptions: readonly Subscription[]): AccountState {
  const [holding] = subscriptions
    .filter((one) => one.plan !== null && one.version > one.endedVersion)
    .sort(compareStanding);
  if (!holding?.plan) return { subscriptionId: null, plan: 'free', status: 'active', graceUntil: null };
  const failures = failuresOf(holding);
  const standing = { subscriptionId: holding.id, plan: holding.plan };
  if (failures.length === 0) return { ...standing, status: 'active', graceUntil: null };
  const graceUntil = new Date(timeOf(Math.min(...failures)).getTime() + GRACE_MS);
  return { ...standing, status: 'past_due', graceUntil };
}

/** Failures before the subscription ended do not count once it has started again. */
function failuresOf({ failedVersions, endedVersion }: Subscription): number[] {
  return failedVersions.filter((version) => version > endedVersion);
}

function compareStanding(a: Subscription, b: Subscription): number {
  const paid = Math.sign(failuresOf(a).length) - Math.sign(failuresOf(b).length);
  const plan = PLAN_NAMES.indexOf(b.plan ?? 'free') - PLAN_NAMES.indexOf(a.plan ?? 'free');
  return paid || plan || b.version - a.version || (a.id < b.id ? -1 : 1);
}
