import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBilling } from './billing.ts';
import { createTestBilling, eventOf, nowSeconds, type SentEvent } from './test-billing-service.ts';

/**
 * Life cycles of subscriptions, with every event sent through the webhook route. A provider guarantees neither their order nor that
 * each is sent only once, and sends the events of all customers to the same route.
 */

const { db, clock, sendEvent, createCustomer } = await createTestBilling();
const START_SECONDS = nowSeconds() - 3_600;

type Step = { type: string; object: Record<string, unknown>; second: number };

const priced = (price: string) => ({ items: { data: [{ price: { id: price } }] } });
const subscription = (id: string, price: string, status = 'active') => ({ id, status, ...priced(price) });
const created = (id: string, price: string, second: number): Step => ({
  type: 'customer.subscription.created',
  object: subscription(id, price),
  second,
});
const updated = (id: string, price: string, second: number, status = 'active'): Step => ({
  type: 'customer.subscription.updated',
  object: subscription(id, price, status),
  second,
});
const deleted = (id: string, price: string, second: number): Step => ({
  type: 'customer.subscription.deleted',
  object: subscription(id, price, 'canceled'),
  second,
});
/** Newer versions of Stripe's API put an invoice's subscription elsewhere; both forms are sent. */
const invoice = (type: string, id: string, second: number): Step => ({
  type,
  object:
    second % 2 === 0
      ? { id: `in_${second}`, subscription: id }
      : { id: `in_${second}`, parent: { subscription_details: { subscription: id } } },
  second,
});
const paid = (id: string, second: number) => invoice('invoice.paid', id, second);
const failed = (id: string, second: number) => invoice('invoice.payment_failed', id, second);
const refunded = (second: number): Step => ({
  type: 'charge.refunded',
  object: { id: 'ch_1' },
  second,
});

type LifeCycle = { name: string; events: Step[]; plan: string; status: string; graceFromSecond?: number };

const LIFE_CYCLES: LifeCycle[] = [
  {
    name: 'an upgrade of the subscription itself',
    events: [created('A', 'price_pro', 1), paid('A', 2), updated('A', 'price_scale', 10), paid('A', 11)],
    plan: 'scale',
    status: 'active',
  },
  {
    name: 'an upgrade that created a second subscription, and the end of the first',
    events: [
      created('A', 'price_pro', 1),
      paid('A', 2),
      created('B', 'price_scale', 10),
      paid('B', 11),
      updated('A', 'price_pro', 12),
      deleted('A', 'price_pro', 20),
    ],
    plan: 'scale',
    status: 'active',
  },
  {
    name: 'a downgrade',
    events: [created('A', 'price_scale', 1), paid('A', 2), updated('A', 'price_pro', 10), refunded(11)],
    plan: 'pro',
    status: 'active',
  },
  {
    name: 'an upgrade that was reverted',
    events: [created('A', 'price_pro', 1), updated('A', 'price_scale', 5), updated('A', 'price_pro', 6)],
    plan: 'pro',
    status: 'active',
  },
  {
    name: 'three failed payments, with the week starting at the first',
    events: [
      created('A', 'price_pro', 1),
      paid('A', 2),
      failed('A', 10),
      updated('A', 'price_pro', 11, 'past_due'),
      failed('A', 12),
    ],
    plan: 'pro',
    status: 'past_due',
    graceFromSecond: 10,
  },
  {
    name: 'a failed payment that was paid later',
    events: [created('A', 'price_pro', 1), failed('A', 10), paid('A', 20), updated('A', 'price_pro', 21)],
    plan: 'pro',
    status: 'active',
  },
  {
    name: 'a refund',
    events: [created('A', 'price_pro', 1), paid('A', 2), refunded(10)],
    plan: 'pro',
    status: 'active',
  },
  {
    name: 'a failure of the old subscription after the new one was paid',
    events: [created('A', 'price_pro', 1), created('B', 'price_scale', 10), paid('B', 11), failed('A', 20)],
    plan: 'scale',
    status: 'active',
  },
  {
    name: 'a cancellation',
    events: [created('A', 'price_pro', 1), paid('A', 2), failed('A', 9), deleted('A', 'price_pro', 10)],
    plan: 'free',
    status: 'active',
  },
  {
    name: 'a cancellation followed by a new subscription',
    events: [
      created('A', 'price_scale', 1),
      failed('A', 5),
      deleted('A', 'price_scale', 10),
      created('B', 'price_pro', 20),
      paid('B', 21),
    ],
    plan: 'pro',
    status: 'active',
  },
];

const OTHER_CUSTOMER: Step[] = [
  created('S', 'price_scale', 30),
  deleted('A', 'price_pro', 40),
  failed('A', 41),
];

/** Assigns the event ids, so that repeats of an event have the same id. */
function eventsOf(customer: string, steps: readonly Step[]): SentEvent[] {
  return steps.map(({ type, object, second }) =>
    eventOf(type, { ...object, customer }, { created: START_SECONDS + second }),
  );
}

async function send(event: SentEvent): Promise<void> {
  expect((await sendEvent(event)).status).toBe(200);
}

/** Indexes of the events in any order, each up to three times. */
const arrivals = (count: number) =>
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: count, maxLength: count }).chain((times) =>
    fc.shuffledSubarray(
      times.flatMap((repeats, index) => Array<number>(repeats).fill(index)),
      { minLength: times.reduce((sum, repeats) => sum + repeats, 0) },
    ),
  );

describe('in any order and with repeats', () => {
  it.each(LIFE_CYCLES)('$name: $plan, $status', async ({ events: steps, plan, status, graceFromSecond }) => {
    const property = fc.asyncProperty(arrivals(steps.length + OTHER_CUSTOMER.length), async (order) => {
      const [ours, theirs] = [await createCustomer(), await createCustomer()];
      const events = [...eventsOf(ours.customerId, steps), ...eventsOf(theirs.customerId, OTHER_CUSTOMER)];
      for (const index of order) await send(events[index]!);
      expect(await readBilling(db, ours.workspaceId, clock())).toMatchObject({
        plan,
        status,
        graceUntil:
          graceFromSecond === undefined
            ? null
            : new Date((START_SECONDS + graceFromSecond + 7 * 86_400) * 1000),
      });
      expect(await readBilling(db, theirs.workspaceId, clock())).toMatchObject({ plan: 'scale' });
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

describe('an invoice', () => {
  it('without a subscription does not change the plan', async () => {
    const { workspaceId, customerId } = await createCustomer();
    const [start] = eventsOf(customerId, [created('A', 'price_pro', 1)]);
    await send(start!);
    const [once] = eventsOf(customerId, [
      { type: 'invoice.payment_failed', object: { id: 'in_9' }, second: 9 },
    ]);
    await send(once!);
    expect(await readBilling(db, workspaceId, clock())).toMatchObject({ plan: 'pro', status: 'active' });
  });
});

describe('credits granted for the month', () => {
  it('are kept when the plan ends, even without any analysis', async () => {
    const { workspaceId, customerId } = await createCustomer();
    for (const event of eventsOf(customerId, [created('A', 'price_pro', 1), deleted('A', 'price_pro', 2)]))
      await send(event);
    const { granted } = await db.one<{ granted: number }>(
      'select granted from credit_balances where workspace_id = $1',
      [workspaceId],
    );
    expect([(await readBilling(db, workspaceId, clock())).plan, granted]).toEqual(['free', 5_000]);
  });
});
