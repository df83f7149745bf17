import { describe, expect, it } from 'vitest';
import {
  type AccountState,
  accountStateOf,
  applyChange,
  newSubscription,
  type Subscription,
  type SubscriptionChange,
} from './subscription-state.ts';

const START = new Date('2026-03-10T12:00:00Z');
const at = (second: number) => new Date(START.getTime() + second * 1000);
const WEEK_SECONDS = 7 * 24 * 3_600;

type Dated = { change: SubscriptionChange; id: string; createdAt: Date };
let made = 0;
const dated = (change: SubscriptionChange, second: number): Dated => ({
  change,
  id: `evt_${++made}`,
  createdAt: at(second),
});
const subscribed = (subscriptionId: string, plan: 'pro' | 'scale', second: number, rank = 3) =>
  dated({ kind: 'subscription', subscriptionId, plan, payment: null, rank }, second);
const ended = (subscriptionId: string, second: number) =>
  dated({ kind: 'subscription_ended', subscriptionId, rank: 6 }, second);
const paid = (subscriptionId: string, second: number) =>
  dated({ kind: 'payment', subscriptionId, payment: 'paid', rank: 4 }, second);
const failed = (subscriptionId: string, second: number) =>
  dated({ kind: 'payment', subscriptionId, payment: 'failed', rank: 5 }, second);

const unpaid = (subscriptionId: string, plan: 'pro' | 'scale', second: number) =>
  dated({ kind: 'subscription', subscriptionId, plan, payment: 'failed', rank: 3 }, second);

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

/** Applies every event twice in a row; the second time must have no effect. */
function outcomeOf(events: readonly Dated[]): AccountState {
  const known = new Map<string, Subscription>();
  for (const event of events.flatMap((one) => [one, one])) {
    const id = event.change.subscriptionId;
    const before = known.get(id) ?? newSubscription(id);
    known.set(id, applyChange(before, event.change, event) ?? before);
  }
  return accountStateOf([...known.values()]);
}

describe('every order of the events gives the same state', () => {
  it.each([
    [
      'a subscription that ended',
      [subscribed('a', 'pro', 1, 2), subscribed('a', 'scale', 3), failed('a', 3), ended('a', 4)],
      { subscriptionId: null, plan: 'free', status: 'active' },
    ],
    [
      'an upgrade',
      [subscribed('a', 'pro', 1, 2), paid('a', 2), subscribed('a', 'scale', 5), paid('a', 6)],
      { subscriptionId: 'a', plan: 'scale', status: 'active' },
    ],
    [
      'an end in the same second as an update',
      [subscribed('a', 'pro', 1, 2), subscribed('a', 'scale', 4), ended('a', 4), paid('a', 1)],
      { subscriptionId: null, plan: 'free', status: 'active' },
    ],
    [
      'two updates of the same second and rank',
      [subscribed('a', 'pro', 4), subscribed('a', 'scale', 4), subscribed('a', 'pro', 4), paid('a', 5)],
      { subscriptionId: 'a', plan: 'pro', status: 'active' },
    ],
    [
      'a failed payment that was paid later',
      [subscribed('a', 'pro', 1, 2), failed('a', 2), paid('a', 3), subscribed('a', 'pro', 4)],
      { subscriptionId: 'a', plan: 'pro', status: 'active', graceUntil: null },
    ],
    [
      'failures with a payment between: the week starts with the first failure after it',
      [subscribed('a', 'pro', 1, 2), failed('a', 2), paid('a', 3), failed('a', 10), failed('a', 20)],
      { subscriptionId: 'a', plan: 'pro', status: 'past_due', graceUntil: at(10 + WEEK_SECONDS) },
    ],
    [
      'the old of two subscriptions fails and ends',
      [
        subscribed('a', 'pro', 1, 2),
        subscribed('b', 'scale', 5, 2),
        paid('b', 6),
        failed('a', 7),
        ended('a', 9),
      ],
      { subscriptionId: 'b', plan: 'scale', status: 'active' },
    ],
    [
      'a failure before the subscription ended and started again under the same id',
      [subscribed('a', 'pro', 1, 2), failed('a', 2), ended('a', 3), subscribed('a', 'pro', 9, 2)],
      { subscriptionId: 'a', plan: 'pro', status: 'active', graceUntil: null },
    ],
    [
      'an unpaid subscription that was paid later',
      [subscribed('a', 'pro', 1, 2), unpaid('a', 'pro', 2), paid('a', 3)],
      { subscriptionId: 'a', plan: 'pro', status: 'active', graceUntil: null },
    ],
    [
      'an unpaid subscription whose plan changed later',
      [subscribed('a', 'pro', 1, 2), unpaid('a', 'pro', 2), subscribed('a', 'scale', 3)],
      { subscriptionId: 'a', plan: 'scale', status: 'past_due', graceUntil: at(2 + WEEK_SECONDS) },
    ],
    [
      'an end without a beginning',
      [ended('a', 4), paid('a', 5)],
      { subscriptionId: null, plan: 'free', status: 'active', graceUntil: null },
    ],
  ] as const)('%s', (_, events, end) => {
    for (const order of permutations(events)) expect(outcomeOf(order)).toMatchObject(end);
  });
});

describe('of several subscriptions', () => {
  const state = (...events: Dated[]) => outcomeOf(events);

  it('a paid one counts rather than a larger unpaid one', () => {
    const events = [subscribed('sub_a', 'scale', 1), failed('sub_a', 2), subscribed('sub_b', 'pro', 3)];
    for (const order of permutations(events))
      expect(state(...order)).toMatchObject({ subscriptionId: 'sub_b', plan: 'pro' });
  });

  it('the one with the larger plan counts, whichever came first', () => {
    for (const [first, second] of [
      ['sub_a', 'sub_b'],
      ['sub_b', 'sub_a'],
    ] as const) {
      const events = [subscribed(first, 'scale', 1), subscribed(second, 'pro', 2)];
      for (const order of permutations(events))
        expect(state(...order)).toMatchObject({ subscriptionId: first, plan: 'scale' });
    }
  });

  it('with equal plans the later one counts, and at the same time the first by id', () => {
    const later = [subscribed('sub_a', 'pro', 1), subscribed('sub_b', 'pro', 2)];
    for (const order of permutations(later)) expect(state(...order).subscriptionId).toBe('sub_b');
    const together = [subscribed('sub_a', 'pro', 1), subscribed('sub_b', 'pro', 1)];
    for (const order of permutations(together)) expect(state(...order).subscriptionId).toBe('sub_a');
  });
});

describe('a change', () => {
  const before = { ...newSubscription('a'), plan: 'pro' as const, version: 17_731_440_043, eventId: 'evt_m' };
  const update = (second: number, id: string, payment: 'failed' | null = null) =>
    applyChange(
      before,
      { kind: 'subscription', subscriptionId: 'a', plan: 'scale', payment, rank: 3 },
      { id, createdAt: new Date((1_773_144_004 + second) * 1000) },
    );

  it('that is older, or a repeat, changes nothing', () => {
    expect(update(-1, 'evt_z')).toBeNull();
    expect(update(0, 'evt_a')).toBeNull();
    expect(update(0, 'evt_m')).toBeNull();
  });

  it('that is newer, or of the same time with a greater event id, sets plan and version', () => {
    expect(update(0, 'evt_z')).toEqual({ ...before, plan: 'scale', eventId: 'evt_z' });
    expect(update(1, 'evt_a')).toEqual({
      ...before,
      plan: 'scale',
      version: before.version + 10,
      eventId: 'evt_a',
    });
  });

  it('that is unpaid adds a failure, and sets the plan only when it is newer', () => {
    const noted = update(-1, 'evt_z', 'failed');
    expect(noted).toEqual({ ...before, failedVersions: [before.version - 10] });
    expect(update(1, 'evt_z', 'failed')).toMatchObject({
      plan: 'scale',
      failedVersions: [before.version + 10],
    });
  });

  it('that ends the subscription takes effect once', () => {
    const end = { kind: 'subscription_ended', subscriptionId: 'a', rank: 6 } as const;
    const event = { id: 'evt_1', createdAt: new Date(1_773_144_004_000) };
    const after = applyChange(before, end, event)!;
    expect(after).toEqual({ ...before, endedVersion: before.version + 3 });
    expect(applyChange(after, end, event)).toBeNull();
  });

  it('with a payment removes earlier failures and keeps later ones', () => {
    const pay = (version: number, payment: 'paid' | 'failed', given: Subscription) =>
      applyChange(
        given,
        { kind: 'payment', subscriptionId: 'a', payment, rank: version % 10 },
        { id: 'evt', createdAt: new Date(Math.floor(version / 10) * 1000) },
      );
    const failedTwice = { ...before, failedVersions: [105, 305] };
    const settled = pay(204, 'paid', failedTwice)!;
    expect(settled).toEqual({ ...before, paidVersion: 204, failedVersions: [305] });
    expect(pay(204, 'paid', settled)).toBeNull();
    expect(pay(105, 'failed', settled)).toBeNull();
    expect(pay(305, 'failed', settled)).toBeNull();
  });
});
