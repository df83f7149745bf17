import { randomBytes } from 'node:crypto';
import { operations } from '@earshot/contract';
import Stripe from 'stripe';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../app/app.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { readBilling } from './billing.ts';
import { createPaymentProvider } from './create-provider.ts';
import { planChangeRoutes } from './plan-change-routes.ts';
import { billingRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const { db } = await createTestDatabase();
const clock = () => new Date();
const base = await buildTestContext(
  db,
  {},
  {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_SCALE: 'price_scale',
  },
);
const ctx = { ...base, payments: await createPaymentProvider(base.config, clock) };
const app = buildApp(ctx, [...billingRoutes, ...planChangeRoutes, ...sandboxRoutes], {
  operations: Object.values(operations.billing),
  checkAnswers: true,
});
afterAll(() => app.close());
const stripe = new Stripe('sk_test_1');

type SentEvent = { id: string; type: string; created: number; data: { object: Record<string, unknown> } };

function event(type: string, object: Record<string, unknown>, ageSeconds = 0): SentEvent {
  return {
    id: `evt_${randomBytes(8).toString('hex')}`,
    type,
    created: Math.floor(Date.now() / 1000) - ageSeconds,
    data: { object },
  };
}

function send(sent: SentEvent | string, options: { path?: string; header?: string; name?: string } = {}) {
  const payload = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const header =
    options.header ?? stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  return app.inject({
    method: 'POST',
    url: options.path ?? '/webhooks/stripe',
    headers: { 'content-type': 'application/json', [options.name ?? 'stripe-signature']: header },
    payload,
  });
}

async function createCustomer() {
  const member = await createTestMember(ctx);
  const customerId = `cus_${randomBytes(8).toString('hex')}`;
  const { workspaceId } = member.actor;
  await db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [
    workspaceId,
    customerId,
  ]);
  const subscription = (price: string, status = 'active') => ({
    id: `sub_${customerId}`,
    customer: customerId,
    status,
    items: { data: [{ price: { id: price } }] },
  });
  const invoice = { customer: customerId, subscription: `sub_${customerId}` };
  const billing = () => readBilling(db, workspaceId, clock());
  return { workspaceId, customerId, subscription, invoice, billing };
}

const countEvents = async (id: string) =>
  (await db.query('select 1 from payment_events where id = $1', [id])).length;

describe('payment webhook', () => {
  it.each([
    ['/webhooks/stripe', 'stripe-signature'],
    ['/webhooks/payment', 'payment-signature'],
    ['/v1/billing/stripe/webhook', 'payment-signature'],
    ['/v1/billing/payment/webhook', 'stripe-signature'],
  ])('takes effect at %s with %s', async (path, name) => {
    const { customerId, subscription, billing } = await createCustomer();
    expect((await billing()).plan).toBe('free');
    const answer = await send(event('customer.subscription.created', subscription('price_pro')), {
      path,
      name,
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { accepted: true, event_type: 'customer.subscription.created' },
    ]);
    expect(await billing()).toMatchObject({ plan: 'pro', status: 'active' });
    expect(customerId).toBeTruthy();
  });

  it('moves the tier up, keeps it through a failed payment, and ends it', async () => {
    const { invoice, subscription, billing } = await createCustomer();
    await send(event('customer.subscription.created', subscription('price_pro'), 50));
    await send(event('customer.subscription.updated', subscription('price_scale'), 40));
    expect(await billing()).toMatchObject({ plan: 'scale', status: 'active' });
    await send(event('invoice.payment_failed', invoice, 30));
    expect(await billing()).toMatchObject({ plan: 'scale', status: 'past_due' });
    await send(event('invoice.paid', invoice, 20));
    expect(await billing()).toMatchObject({ plan: 'scale', status: 'active', graceUntil: null });
    await send(event('customer.subscription.deleted', subscription('price_scale', 'canceled'), 10));
    expect(await billing()).toMatchObject({ plan: 'free', status: 'active' });
  });

  it('is free again seven days after a payment failed', async () => {
    const { invoice, subscription, workspaceId } = await createCustomer();
    await send(event('customer.subscription.created', subscription('price_pro'), 60));
    await send(event('invoice.payment_failed', invoice));
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    expect((await readBilling(db, workspaceId, inDays(6.99))).plan).toBe('pro');
    expect((await readBilling(db, workspaceId, inDays(7.01))).plan).toBe('free');
  });

  it('takes effect once when the same event arrives a hundred times at once', async () => {
    const { workspaceId, subscription } = await createCustomer();
    const sent = event('customer.subscription.created', subscription('price_pro'));
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(sent)));
    for (const answer of answers) expect(answer.json()).toEqual({ accepted: true, event_type: sent.type });
    expect(await countEvents(sent.id)).toBe(1);
    const audits = await db.query(
      `select 1 from audit_events where workspace_id = $1 and action = 'billing.update'`,
      [workspaceId],
    );
    expect(audits).toHaveLength(1);
  });

  it('answers 200 and does nothing for a type, a customer or a price it does not know', async () => {
    const { subscription, billing } = await createCustomer();
    const unknownType = await send(event('radar.early_fraud_warning.created', {}));
    expect(unknownType.json()).toEqual({ accepted: false, event_type: 'radar.early_fraud_warning.created' });
    const stranger = event('customer.subscription.created', {
      ...subscription('price_pro'),
      customer: 'cus_nobody',
    });
    expect((await send(stranger)).statusCode).toBe(200);
    const outcome = await db.one<{ outcome: string }>('select outcome from payment_events where id = $1', [
      stranger.id,
    ]);
    expect(outcome.outcome).toBe('unknown_customer');
    await send(event('customer.subscription.updated', subscription('price_of_another_product')));
    expect(await billing()).toMatchObject({ plan: 'free' });
  });

  it('makes no subscription in a workspace that was closed, and an operator hears of what is charged', async () => {
    const { workspaceId, customerId, subscription, billing } = await createCustomer();
    await db.query('update workspaces set deleted_at = now() where id = $1', [workspaceId]);
    const errors = vi.spyOn(ctx.log, 'error');
    const sent = event('customer.subscription.created', subscription('price_pro'));
    expect((await send(sent)).statusCode).toBe(200);
    const { outcome } = await db.one<{ outcome: string }>(
      'select outcome from payment_events where id = $1',
      [sent.id],
    );
    expect([outcome, (await billing()).plan]).toEqual(['workspace_closed', 'free']);
    expect(errors.mock.calls).toEqual([
      [
        { eventId: sent.id, customerId, subscriptionId: `sub_${customerId}` },
        'A subscription of a closed workspace is being charged: cancel it at the provider',
      ],
    ]);
    errors.mockRestore();
  });

  it.each([
    ['missing signature', (payload: string) => ({ payload, header: '' })],
    [
      'another secret',
      (payload: string) => ({ payload, header: signed(payload, { secret: 'whsec_other' }) }),
    ],
    [
      '301 s old',
      (payload: string) => ({ payload, header: signed(payload, { timestamp: seconds() - 301 }) }),
    ],
    [
      '301 s ahead',
      (payload: string) => ({ payload, header: signed(payload, { timestamp: seconds() + 302 }) }),
    ],
    ['changed body', (payload: string) => ({ payload: `${payload} `, header: signed(payload) })],
    ['not ASCII', (payload: string) => ({ payload, header: `t=${seconds()},v1=${'%C3%A9'.repeat(10)}` })],
    ['signed nonsense', () => ({ payload: '{"id": ', header: signed('{"id": ') })],
    ['signed JSON that is no event', () => ({ payload: '[]', header: signed('[]') })],
  ])('refuses with 400 and no effect: %s', async (_, make) => {
    const { subscription, billing } = await createCustomer();
    const sent = event('customer.subscription.created', subscription('price_pro'));
    const { payload, header } = make(JSON.stringify(sent));
    const answer = await send(payload, { header });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: expect.stringMatching(/^bad_(signature|request)$/) });
    expect(await countEvents(sent.id)).toBe(0);
    expect((await billing()).plan).toBe('free');
  });

  it('forgets a deleted customer', async () => {
    const { customerId, subscription, billing } = await createCustomer();
    await send(event('customer.subscription.created', subscription('price_pro'), 5));
    await send(event('customer.deleted', { id: customerId }));
    expect(await billing()).toMatchObject({ plan: 'free', portalAvailable: false });
  });
});

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function signed(payload: string, options: { secret?: string; timestamp?: number } = {}): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...options });
}
