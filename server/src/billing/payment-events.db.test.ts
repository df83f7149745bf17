import { describe, expect, it, vi } from 'vitest';
import { newId } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import { openDatabase } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { reserveCredits } from '../usage/usage.ts';
import { eraseDeletedWorkspaces } from '../workspaces/deletion.ts';
import { readBilling } from './billing.ts';
import { type Customer, createTestBilling, eventOf, nowSeconds, sign } from './test-billing-service.ts';

/** What an event with a valid signature does to a workspace's plan and credits. */

let aheadMs = 0;
const { db, ctx, clock, buildWebhookApp, send, sendEvent, createCustomer, outcomeOf } =
  await createTestBilling({ clock: () => new Date(Date.now() + aheadMs) });

describe('a payment event', () => {
  it.each([
    ['/webhooks/stripe', 'stripe-signature'],
    ['/webhooks/payment', 'payment-signature'],
    ['/v1/billing/stripe/webhook', 'payment-signature'],
    ['/v1/billing/payment/webhook', 'stripe-signature'],
  ])('takes effect at %s with %s', async (path, name) => {
    const { subscription, billing } = await createCustomer();
    expect((await billing()).plan).toBe('free');
    const payload = JSON.stringify(eventOf('customer.subscription.created', subscription()));
    expect(await send({ payload, headers: { [name]: sign(payload) }, path })).toEqual({
      status: 200,
      body: { accepted: true, event_type: 'customer.subscription.created' },
    });
    expect(await billing()).toMatchObject({ plan: 'pro', status: 'active' });
  });

  it('about a failed payment keeps the plan in force for seven days, and notifies the owner once', async () => {
    const { invoice, subscription, workspaceId, ownerAddress } = await createCustomer();
    const created = nowSeconds() - 60;
    await sendEvent(eventOf('customer.subscription.created', subscription(), { created }));
    const mails = () => db.query('select 1 from mail_outbox where recipient = $1', [ownerAddress]);
    expect(await mails()).toHaveLength(0);
    await sendEvent(eventOf('invoice.payment_failed', invoice));
    await sendEvent(eventOf('invoice.payment_failed', invoice, { created: nowSeconds() + 1 }));
    expect(await mails()).toHaveLength(1);
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
    expect((await readBilling(db, workspaceId, inDays(6.99))).plan).toBe('pro');
    expect((await readBilling(db, workspaceId, inDays(7.01))).plan).toBe('free');
  });

  it('about a new subscription of a closed workspace only logs an error', async () => {
    const { workspaceId, customerId, subscription, plan } = await createCustomer();
    await db.query('update workspaces set deleted_at = now() where id = $1', [workspaceId]);
    const errors = vi.spyOn(ctx.log, 'error');
    const event = eventOf('customer.subscription.created', subscription());
    expect((await sendEvent(event)).status).toBe(200);
    expect([await outcomeOf(event.id), await plan()]).toEqual(['workspace_closed', 'free']);
    expect(errors.mock.calls).toEqual([
      [
        { eventId: event.id, customerId, subscriptionId: `sub_${customerId}` },
        'A subscription of a closed workspace is being charged: cancel it at the provider',
      ],
    ]);
    errors.mockRestore();
  });

  it('about a deleted customer ends the plan, and removes the customer and its subscriptions', async () => {
    const { workspaceId, customerId, subscription, billing } = await createCustomer();
    const created = nowSeconds() - 5;
    await sendEvent(eventOf('customer.subscription.created', subscription(), { created }));
    await sendEvent(eventOf('customer.deleted', { id: customerId }));
    expect(await billing()).toMatchObject({ plan: 'free', status: 'canceled', portalAvailable: false });
    const left = await db.query('select id from billing_subscriptions where workspace_id = $1', [
      workspaceId,
    ]);
    expect(left).toEqual([]);
  });

  it('is audited with the plan and status that it set, and the plan before', async () => {
    const { workspaceId, subscription } = await createCustomer();
    const object = subscription('price_scale', { status: 'past_due' });
    await sendEvent(eventOf('customer.subscription.created', object));
    const audited = await db.query(
      `select metadata from audit_events where workspace_id = $1 and action = 'billing.update'`,
      [workspaceId],
    );
    const metadata = {
      event_type: 'customer.subscription.created',
      plan: 'scale',
      status: 'past_due',
      previous_plan: 'free',
    };
    expect(audited).toEqual([{ metadata }]);
  });

  it("that ends the plan in a later month grants the plan's credits of that month first", async () => {
    const { subscription, traces } = await createCustomer();
    await sendEvent(eventOf('customer.subscription.created', subscription()));
    aheadMs = 31 * DAY_MS;
    const timestamp = Math.floor(clock().getTime() / 1000);
    const payload = JSON.stringify(eventOf('customer.subscription.deleted', subscription()));
    const answer = await send({ payload, headers: { 'stripe-signature': sign(payload, { timestamp }) } });
    aheadMs = 0;
    expect(answer.status).toBe(200);
    expect((await traces()).ledger).toEqual([{ amount: 5000 }, { amount: 5000 }]);
  });

  it('replayed after 10 s changes nothing; replayed after 10 min it is refused', async () => {
    const customer = await createCustomer();
    const payload = JSON.stringify(eventOf('customer.subscription.created', customer.subscription()));
    const captured = { payload, headers: { 'stripe-signature': sign(payload) } };
    expect((await send(captured)).status).toBe(200);
    aheadMs = 10_000;
    expect((await send(captured)).status).toBe(200);
    aheadMs = 600_000;
    expect((await send(captured)).status).toBe(400);
    aheadMs = 0;
    expect((await customer.traces()).auditCount).toBe(1);
  });

  it('the same event a hundred times at once takes effect once', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendEvent(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await customer.traces()).auditCount).toBe(1);
  });

  it('two events for one subscription and two for one invoice grant the credits of the month once', async () => {
    const customer = await createCustomer();
    for (let times = 0; times < 2; times += 1) {
      await sendEvent(eventOf('customer.subscription.created', customer.subscription()));
      const invoice = { id: 'in_1', ...customer.invoice, status: 'paid' };
      await sendEvent(eventOf('invoice.paid', invoice));
      await reserve(customer, 1);
    }
    const { ledger } = await customer.traces();
    expect(ledger.map((row) => row.amount).sort()).toEqual([-1, -1, 5000]);
  });

  it('an unknown type is answered 200, is not accepted and changes nothing', async () => {
    const customer = await createCustomer();
    const answer = await sendEvent(eventOf('payout.created', { customer: customer.customerId }));
    expect(answer).toEqual({ status: 200, body: { accepted: false, event_type: 'payout.created' } });
    expect(await customer.traces()).toEqual({ auditCount: 0, ledger: [] });
  });

  it('for an unknown customer is logged as an error, except that it was deleted', async () => {
    const errors = vi.spyOn(ctx.log, 'error');
    const object = { id: 'sub_unused', customer: 'cus_unused', status: 'canceled' };
    const ended = eventOf('customer.subscription.deleted', object);
    // By us, when the call that needed the customer failed.
    const deleted = eventOf('customer.deleted', { id: 'cus_unused' });
    for (const event of [ended, deleted]) expect((await sendEvent(event)).status).toBe(200);
    expect(errors.mock.calls).toEqual([
      [{ eventId: ended.id, eventType: ended.type }, 'Payment event for an unknown customer'],
    ]);
    errors.mockRestore();
  });

  it('for an unknown customer has no effect; sent again once the customer is known, it takes effect', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    await db.query('update billing_accounts set customer_id = null where workspace_id = $1', [
      customer.workspaceId,
    ]);
    expect((await sendEvent(event)).status).toBe(200);
    expect([await outcomeOf(event.id), await customer.plan()]).toEqual(['unknown_customer', 'free']);
    await db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [
      customer.workspaceId,
      customer.customerId,
    ]);
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('pro');
  });
});

const reserve = (customer: Customer, count: number) =>
  db.transaction((tx) =>
    reserveCredits(tx, {
      workspaceId: customer.workspaceId,
      analysisIds: Array.from({ length: count }, () => newId('job')),
      now: clock(),
    }),
  );

describe('money', () => {
  it.each(['charge.refunded', 'charge.dispute.created', 'charge.dispute.funds_withdrawn'])(
    '%s after credits were spent revokes none',
    async (type) => {
      const customer = await createCustomer();
      await sendEvent(eventOf('customer.subscription.created', customer.subscription()));
      await reserve(customer, 300);
      const before = await customer.traces();
      const answer = await sendEvent(eventOf(type, { customer: customer.customerId, amount_refunded: 4900 }));
      expect(answer).toEqual({ status: 200, body: { accepted: false, event_type: type } });
      expect(await customer.traces()).toEqual(before);
      await sendEvent(eventOf('customer.subscription.deleted', customer.subscription()));
      expect(await customer.plan()).toBe('free');
      const { balance } = await db.one<{ balance: number }>(
        'select sum(amount)::int as balance from credit_ledger where workspace_id = $1',
        [customer.workspaceId],
      );
      expect(balance).toBe(5000 - 300);
    },
  );

  it.each([
    ['an unknown price', { items: { data: [{ price: { id: 'price_cheap' } }] } }],
    [
      'an unknown price with metadata that names a plan',
      { items: { data: [{ price: { id: 'price_cheap' } }] }, metadata: { plan: 'scale' } },
    ],
    ['a subscription without items', { items: { data: [] }, metadata: { plan: 'scale' } }],
    ['a subscription whose first payment is outstanding', { status: 'incomplete' }],
    ['a paused subscription', { status: 'paused' }],
  ])('%s grants nothing', async (_, more) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription('price_scale', more));
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('free');
  });

  it('a completed checkout alone grants nothing: only the subscription states what was bought', async () => {
    const customer = await createCustomer();
    const session = { customer: customer.customerId, subscription: 'sub_1', metadata: { plan: 'scale' } };
    expect((await sendEvent(eventOf('checkout.session.completed', session))).body.accepted).toBe(true);
    expect(await customer.plan()).toBe('free');
  });

  it('an invoice paid in part leaves the subscription past due', async () => {
    const customer = await createCustomer();
    const invoice = {
      ...customer.invoice,
      status: 'open',
      amount_paid: 100,
      amount_remaining: 4800,
    };
    const at = nowSeconds();
    await sendEvent(eventOf('customer.subscription.created', customer.subscription(), { created: at - 30 }));
    await sendEvent(eventOf('invoice.payment_failed', invoice, { created: at - 20 }));
    await sendEvent(eventOf('invoice.paid', invoice, { created: at - 10 }));
    expect((await customer.billing()).status).toBe('past_due');
    await sendEvent(eventOf('invoice.paid', { ...invoice, status: 'paid', amount_remaining: 0 }));
    expect((await customer.billing()).status).toBe('active');
  });
});

describe('the stored events of an erased workspace', () => {
  /** Which of the customers still have stored events. */
  const customersWithEvents = async (...customerIds: string[]) =>
    (
      await db.query<{ customer_id: string }>(
        'select distinct customer_id from payment_events where customer_id = any ($1) order by 1',
        [customerIds],
      )
    ).map(({ customer_id }) => customer_id);

  async function erase({ workspaceId }: Customer): Promise<void> {
    await db.query('update workspaces set deleted_at = now() where id = $1', [workspaceId]);
    await eraseDeletedWorkspaces(ctx);
    expect(await db.query('select 1 from workspaces where id = $1', [workspaceId])).toEqual([]);
  }

  it('are erased, including those of a customer who was deleted before', async () => {
    const [customer, other] = [await createCustomer(), await createCustomer()];
    const { customerId, subscription } = customer;
    await sendEvent(eventOf('customer.subscription.created', other.subscription()));
    await sendEvent(eventOf('customer.subscription.created', subscription()));
    await sendEvent(eventOf('customer.deleted', { id: customerId }));
    // Arrives after the account has forgotten its customer.
    await sendEvent(eventOf('customer.subscription.deleted', subscription()));
    await erase(customer);
    expect(await customersWithEvents(customerId, other.customerId)).toEqual([other.customerId]);
  });

  it('are erased, including those of an earlier customer of the workspace', async () => {
    const customer = await createCustomer();
    const { customerId, subscription, workspaceId } = customer;
    await sendEvent(eventOf('customer.subscription.created', subscription()));
    await sendEvent(eventOf('customer.deleted', { id: customerId }));
    const laterId = `${customerId}_later`;
    await db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [
      workspaceId,
      laterId,
    ]);
    await sendEvent(eventOf('customer.subscription.created', { ...subscription(), customer: laterId }));
    await erase(customer);
    expect(await customersWithEvents(customerId, laterId)).toEqual([]);
  });

  it.each([
    ['no further event', []],
    ['a deletion of the customer', ['customer.deleted']],
  ])(
    'are erased, including one that arrived before the customer was known, followed by %s',
    async (_, laterTypes) => {
      const customer = await createCustomer();
      const { customerId, workspaceId } = customer;
      const setCustomer = (id: string | null) =>
        db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [workspaceId, id]);
      await setCustomer(null);
      await sendEvent(eventOf('customer.created', { id: customerId, email: 'someone@example.com' }));
      await setCustomer(customerId);
      for (const type of laterTypes) await sendEvent(eventOf(type, { id: customerId }));
      await erase(customer);
      expect(await customersWithEvents(customerId)).toEqual([]);
    },
  );
});

describe('an event while the database is unreachable', () => {
  it('is answered 503, so that the provider sends it again, and then takes effect', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const payload = JSON.stringify(event);
    const unreachable = openDatabase({
      connection: { host: '/nowhere/at/all', port: 1, user: 'nobody', database: 'nothing' },
      log: createLogger({ level: 'silent' }),
    });
    const broken = buildWebhookApp({ ...ctx, db: unreachable });
    const refused = await send({ payload, headers: { 'stripe-signature': sign(payload) } }, broken);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await broken.close();
    await unreachable.close();
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('pro');
  });
});
