import { describe, expect, it } from 'vitest';
import type { ProviderChange } from './payment-provider.ts';
import type { BillingAccount } from './store.ts';
import { applyChange } from './subscription-state.ts';

const fresh: BillingAccount = {
  workspaceId: 'ws_1',
  provider: 'sandbox',
  customerId: 'cus_1',
  subscriptionId: null,
  plan: 'free',
  status: 'active',
  graceUntil: null,
  subscriptionVersion: 0,
  paymentVersion: 0,
};
const now = new Date('2026-03-10T12:00:00Z');
const at = (second: number) => new Date(now.getTime() + second * 1000);

type Change = Parameters<typeof applyChange>[1];
type Dated = { change: Change; createdAt: Date };
const subscribed = (plan: 'pro' | 'scale', second: number, rank = 3): Dated => ({
  change: {
    kind: 'subscription',
    subscriptionId: 'sub_1',
    plan,
    payment: null,
    rank,
  } satisfies ProviderChange,
  createdAt: at(second),
});
const ended = (second: number): Dated => ({
  change: { kind: 'subscription_ended', subscriptionId: 'sub_1', rank: 6 },
  createdAt: at(second),
});
const paid = (second: number): Dated => ({
  change: { kind: 'payment', payment: 'paid', rank: 4 },
  createdAt: at(second),
});
const failed = (second: number): Dated => ({
  change: { kind: 'payment', payment: 'failed', rank: 5 },
  createdAt: at(second),
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

function outcomeOf(events: readonly Dated[]): Pick<BillingAccount, 'plan' | 'status' | 'graceUntil'> {
  const final = events.reduce(
    (account, { change, createdAt }) => applyChange(account, change, createdAt, now) ?? account,
    fresh,
  );
  return { plan: final.plan, status: final.status, graceUntil: final.graceUntil };
}

describe('applyChange', () => {
  it.each([
    [
      'a subscription that ended',
      [subscribed('pro', 1, 2), subscribed('pro', 2), subscribed('scale', 3), ended(4)],
      'free',
      'active',
    ],
    [
      'an upgrade',
      [subscribed('pro', 1, 1), subscribed('pro', 1, 2), subscribed('scale', 5), paid(2)],
      'scale',
      'active',
    ],
    [
      'a payment that failed last',
      [subscribed('pro', 1, 2), paid(2), subscribed('pro', 3), failed(9)],
      'pro',
      'past_due',
    ],
    [
      'a payment that was made good',
      [subscribed('pro', 1, 2), failed(2), paid(3), subscribed('pro', 4)],
      'pro',
      'active',
    ],
    [
      'an end in the same second as an update',
      [subscribed('pro', 1, 2), subscribed('scale', 4), ended(4), paid(1)],
      'free',
      'active',
    ],
  ] as const)('%s: all 24 orders of arrival end alike', (_, events, plan, status) => {
    const outcomes = permutations(events).map(outcomeOf);
    expect(outcomes).toHaveLength(24);
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ plan, status });
  });

  it('keeps the limits for seven days from the failure, not from its arrival', () => {
    const account = applyChange(fresh, failed(0).change, at(0), at(3_600));
    expect(account?.graceUntil).toEqual(at(7 * 24 * 3_600));
  });

  it('forgets the customer who was deleted', () => {
    const subscription = applyChange(fresh, subscribed('pro', 1).change, at(1), now)!;
    expect(applyChange(subscription, { kind: 'customer_deleted' }, at(2), now)).toMatchObject({
      customerId: null,
      plan: 'free',
      status: 'canceled',
    });
  });
});
