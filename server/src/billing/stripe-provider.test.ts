import { PAYMENT_EVENT_TYPES } from '@earshot/contract';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Transaction } from '../platform/postgres.ts';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { createStripeProvider } from './stripe-provider.ts';

/** Only the sandbox uses the transaction; Stripe stores its own sessions. */
const NO_TRANSACTION = null as unknown as Transaction;
/** The stripe package waits half a second, then a second, before it repeats a call; the tests do not. */
type WaitingClient = { getInitialNetworkRetryDelay(): number };
const retryDelay = vi
  .spyOn(Stripe.prototype as unknown as WaitingClient, 'getInitialNetworkRetryDelay')
  .mockReturnValue(0.005);
// The next file of this worker shares the package.
afterAll(() => retryDelay.mockRestore());
const standIn = await startStripeStandIn();
const settings = {
  secretKey: 'sk_test_1',
  webhookSecrets: ['whsec_1'],
  prices: { pro: 'price_pro', scale: 'price_scale', scaleOverage: 'price_overage' as string | null },
  meterEventName: 'earshot_analysis',
  apiBase: new URL(standIn.url),
};
let provider: Awaited<ReturnType<typeof createStripeProvider>>;
beforeEach(async () => {
  provider = await createStripeProvider(settings);
  standIn.calls.splice(0);
});
afterEach(() => void vi.useRealTimers());

const order = {
  workspaceId: 'ws_1',
  customerId: 'cus_1',
  plan: 'pro',
  successUrl: 'https://example.com/ok',
  cancelUrl: 'https://example.com/no',
} as const;
let customerCount = 0;
/** An order of a new customer without open pages or subscriptions. */
const fresh = () => ({ ...order, customerId: `cus_fresh_${++customerCount}` });
const upgrade = {
  changeId: 'pay_1',
  workspaceId: 'ws_1',
  customerId: 'cus_1',
  proratedAt: new Date(1_700_000_000_000),
  subscriptionId: 'sub_pro',
  from: 'pro',
  plan: 'scale',
} as const;
const subscriptionWith = (...prices: string[]) => ({
  object: 'subscription',
  items: { data: prices.map((id) => ({ id: `si_${id}`, price: { id } })) },
});
const lastForm = () => Object.fromEntries(standIn.calls.at(-1)?.form ?? []);
const listEvents = async (since: Date, from = provider) => {
  const events = [];
  for await (const event of from.listEvents(since)) events.push(event);
  return events;
};
const failed = { code: 'payment_provider_failed', cause: expect.any(Error) };

describe('the Stripe provider', () => {
  it('repeats a failed request for a customer with the same idempotency key', async () => {
    standIn.failWith(503);
    const create = () => provider.createCustomer({ workspaceId: 'ws_1', email: 'a@example.com' });
    expect((await create()).customerId).toMatch(/^cus_/);
    // A later call must create a new customer: the first may have been deleted.
    await create();
    const [first, repeated, second] = standIn.calls;
    expect([first?.path, repeated?.path, second?.path]).toEqual(Array(3).fill('/v1/customers'));
    expect(first?.idempotencyKey).toMatch(/./);
    expect(repeated?.idempotencyKey).toBe(first?.idempotencyKey);
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(first?.form.get('metadata[workspace_id]')).toBe('ws_1');
  });

  it('opens checkout and portal pages', async () => {
    const checkout = await provider.createCheckoutSession({ ...order, plan: 'scale' }, NO_TRANSACTION);
    expect(checkout.url).toContain(`/pay/${checkout.id}`);
    const call = standIn.calls.splice(0).at(-1);
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      mode: 'subscription',
      customer: 'cus_1',
      'line_items[0][price]': 'price_scale',
      'line_items[0][quantity]': '1',
      'line_items[1][price]': 'price_overage',
      client_reference_id: 'ws_1',
      'metadata[workspace_id]': 'ws_1',
      'metadata[plan]': 'scale',
      'subscription_data[metadata][workspace_id]': 'ws_1',
      'subscription_data[metadata][plan]': 'scale',
      success_url: 'https://example.com/ok',
      cancel_url: 'https://example.com/no',
    });
    const portal = await provider.createPortalSession(
      {
        workspaceId: 'ws_1',
        customerId: 'cus_1',
        returnUrl: 'https://example.com/',
      },
      NO_TRANSACTION,
    );
    expect(portal.url).toContain(`/portal/${portal.id}`);
    expect(lastForm()).toEqual({ customer: 'cus_1', return_url: 'https://example.com/' });
  });

  it('adds the overage price only to the scale plan, and only where it is configured', async () => {
    await provider.createCheckoutSession({ ...order, customerId: 'cus_pro' }, NO_TRANSACTION);
    expect(lastForm()).toMatchObject({ 'line_items[0][price]': 'price_pro', 'line_items[0][quantity]': '1' });
    expect(lastForm()).not.toHaveProperty('line_items[1][price]');
    const unmetered = await createStripeProvider({
      ...settings,
      prices: { ...settings.prices, scaleOverage: null },
    });
    await unmetered.createCheckoutSession(
      { ...order, customerId: 'cus_scale', plan: 'scale' },
      NO_TRANSACTION,
    );
    expect(lastForm()).not.toHaveProperty('line_items[1][price]');
    await unmetered.changePlan({ ...upgrade, changeId: 'pay_unmetered' });
    expect(lastForm()).toMatchObject({ 'items[0][price]': 'price_scale' });
    expect(Object.keys(lastForm()).filter((name) => name.startsWith('items[1]'))).toEqual([]);
  });

  it('uses TLS for an https address', async () => {
    const apiBase = new URL(standIn.url.replace('http:', 'https:'));
    const secured = await createStripeProvider({ ...settings, apiBase });
    await expect(secured.deleteCustomer({ customerId: 'cus_1' })).rejects.toMatchObject(failed);
    expect(standIn.calls).toEqual([]);
  });

  it('deletes a customer', async () => {
    await provider.deleteCustomer({ customerId: 'cus_1' });
    expect(standIn.calls.map(({ path }) => path)).toEqual(['/v1/customers/cus_1']);
  });

  it('fails when Stripe returns a checkout session without a URL', async () => {
    standIn.failWith(null, null, { id: 'cs_0', object: 'checkout.session', url: null });
    await expect(provider.createCheckoutSession(fresh(), NO_TRANSACTION)).rejects.toMatchObject({
      ...failed,
      cause: { message: 'Stripe returned a checkout session without a URL' },
    });
  });

  it.each(['canceled', 'incomplete_expired'])(
    'opens a checkout page although the customer has a subscription that is %s',
    async (status) => {
      standIn.failWith(null, { object: 'list', data: [{ id: 'sub_1', status }], has_more: false });
      expect(await provider.createCheckoutSession(fresh(), NO_TRANSACTION)).toHaveProperty('url');
    },
  );

  it('ignores that a page can no longer be closed, but no other failure to close it', async () => {
    const open = { object: 'list', data: [{ id: 'cs_paid' }], has_more: false };
    standIn.failWith(open, 'ended');
    expect(await provider.createCheckoutSession(fresh(), NO_TRANSACTION)).toHaveProperty('url');
    standIn.failWith(open, 'declined');
    await expect(provider.createCheckoutSession(fresh(), NO_TRANSACTION)).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('closes the open pages of a workspace that is deleted, unless one of them has been paid', async () => {
    const paid = fresh();
    const close = () => provider.closeCheckouts(paid, NO_TRANSACTION);
    const first = await provider.createCheckoutSession(paid, NO_TRANSACTION);
    await close();
    expect(standIn.pay(first.id)).toBe(false);
    const second = await provider.createCheckoutSession(paid, NO_TRANSACTION);
    expect(standIn.pay(second.id)).toBe(true);
    await expect(close()).rejects.toMatchObject({ code: 'subscription_exists' });
  });

  it('closes nothing for a customer unknown to Stripe; other failures are reported', async () => {
    standIn.failWith('ended');
    await provider.closeCheckouts(fresh(), NO_TRANSACTION);
    standIn.failWith(500, 500, 500);
    await expect(provider.closeCheckouts(fresh(), NO_TRANSACTION)).rejects.toMatchObject(failed);
  });

  it('caches a price, but not a failure to get it', async () => {
    standIn.failWith(500, 500, 500);
    await expect(provider.priceOf('pro')).rejects.toMatchObject({ code: 'payment_provider_failed' });
    standIn.calls.splice(0);
    expect(await provider.priceOf('pro')).toEqual({ amount: 3_900, currency: 'eur' });
    expect(await provider.priceOf('pro')).toEqual({ amount: 3_900, currency: 'eur' });
    expect(standIn.calls.splice(0).map(({ path }) => path)).toEqual(['/v1/prices/price_pro']);
  });

  it('requests a price again after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    await provider.priceOf('scale');
    vi.setSystemTime(10 * 60 * 1000 - 1);
    await provider.priceOf('scale');
    expect(standIn.calls).toHaveLength(1);
    vi.setSystemTime(10 * 60 * 1000);
    await provider.priceOf('scale');
    expect(standIn.calls).toHaveLength(2);
  });

  it('returns no price where Stripe has no single amount', async () => {
    standIn.failWith({ id: 'price_pro', object: 'price', unit_amount: null, currency: 'eur' });
    expect(await provider.priceOf('pro')).toBeNull();
  });

  it('closes the earlier checkout page when a second one is opened', async () => {
    const twice = { ...order, customerId: 'cus_two_tabs' };
    const [first, second] = [
      await provider.createCheckoutSession(twice, NO_TRANSACTION),
      await provider.createCheckoutSession({ ...twice, plan: 'scale' }, NO_TRANSACTION),
    ];
    const other = await provider.createCheckoutSession(
      { ...order, customerId: 'cus_another' },
      NO_TRANSACTION,
    );
    expect([standIn.pay(first.id), standIn.pay(second.id), standIn.pay(other.id)]).toEqual([
      false,
      true,
      true,
    ]);
    // Paid at Stripe, and the event has not arrived yet.
    await expect(provider.createCheckoutSession(twice, NO_TRANSACTION)).rejects.toMatchObject({
      code: 'subscription_exists',
    });
  });

  it('changes the subscription itself, and bills the difference prorated from the time of the quote', async () => {
    expect(await provider.quotePlanChange(upgrade)).toEqual({ amountDue: 31_250, currency: 'eur' });
    const preview = standIn.calls.splice(0).at(-1);
    expect(Object.fromEntries(preview?.form ?? [])).toMatchObject({
      subscription: 'sub_pro',
      'subscription_details[items][0][id]': 'si_price_pro',
      'subscription_details[items][0][price]': 'price_scale',
      'subscription_details[items][1][price]': 'price_overage',
      'subscription_details[proration_date]': '1700000000',
    });
    await provider.changePlan(upgrade);
    const update = standIn.calls.splice(0).at(-1);
    expect([update?.path, update?.idempotencyKey]).toEqual([
      '/v1/subscriptions/sub_pro',
      'plan-change-pay_1',
    ]);
    expect(Object.fromEntries(update?.form ?? [])).toMatchObject({
      'items[0][id]': 'si_price_pro',
      'items[0][price]': 'price_scale',
      'items[1][price]': 'price_overage',
      proration_behavior: 'always_invoice',
      proration_date: '1700000000',
      payment_behavior: 'error_if_incomplete',
      'metadata[workspace_id]': 'ws_1',
      'metadata[plan]': 'scale',
    });
    const downgrade = { ...upgrade, subscriptionId: 'sub_scale', from: 'scale', plan: 'pro' } as const;
    await provider.changePlan({ ...downgrade, changeId: 'pay_2' });
    expect(Object.fromEntries(standIn.calls.splice(0).at(-1)?.form ?? [])).toMatchObject({
      'items[0][price]': 'price_pro',
      'items[1][id]': 'si_price_overage',
      'items[1][deleted]': 'true',
    });
  });

  it('makes a repeated change once, and does not claim that nothing was changed when Stripe did not answer', async () => {
    const repeated = { ...upgrade, changeId: 'pay_3' };
    await provider.changePlan(repeated);
    // The first request has changed the subscription, so that the second has other parameters under the same key.
    standIn.failWith(subscriptionWith('price_scale', 'price_overage'));
    expect(await provider.changePlan(repeated)).toEqual([]);
    expect(Object.keys(lastForm())).not.toContain('items[1][price]');
    standIn.failWith(null, 500, 500, 500);
    await expect(provider.changePlan({ ...upgrade, changeId: 'pay_4' })).rejects.toMatchObject({
      ...failed,
      message: expect.not.stringContaining('Nothing was changed'),
    });
  });

  it('neither adds an overage price that is already there nor removes one that is not', async () => {
    await provider.changePlan({ ...upgrade, changeId: 'pay_6', subscriptionId: 'sub_scale' });
    expect(Object.keys(lastForm()).filter((name) => name.startsWith('items'))).toEqual([
      'items[0][id]',
      'items[0][price]',
    ]);
    await provider.changePlan({ ...upgrade, changeId: 'pay_5', plan: 'pro' });
    expect(Object.keys(lastForm()).filter((name) => name.startsWith('items'))).toEqual([
      'items[0][id]',
      'items[0][price]',
    ]);
  });

  it('replaces only our own price among several; a subscription without one is not changed', async () => {
    standIn.failWith(subscriptionWith('price_of_something_else', 'price_scale'));
    await provider.changePlan({ ...upgrade, changeId: 'pay_7' });
    expect(lastForm()).toMatchObject({ 'items[0][id]': 'si_price_scale' });
    standIn.failWith(subscriptionWith('price_of_something_else'));
    await expect(provider.changePlan(upgrade)).rejects.toMatchObject({
      ...failed,
      cause: { message: 'The subscription has no price of ours' },
    });
  });

  it('says that nothing was changed when the card is declined', async () => {
    standIn.failWith(null, 'declined');
    await expect(provider.changePlan({ ...upgrade, changeId: 'pay_8' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('nothing was changed'),
      cause: { type: 'StripeCardError' },
    });
  });

  it('lists the events since a time, with the plans of their prices', async () => {
    const event = (id: string, price: string) => ({
      ...{ id, type: 'customer.subscription.updated', created: 1_700_000_000, livemode: false },
      data: { object: { id: 'sub_1', status: 'active', items: { data: [{ price: { id: price } }] } } },
    });
    const prices = ['price_pro', 'price_scale', 'price_other'];
    standIn.events.push(...prices.map((price, index) => event(`evt_${index}`, price)));
    const plans = (await listEvents(new Date(1_700_000_000_500))).map(({ change }) =>
      'plan' in change ? change.plan : change.kind,
    );
    expect(plans).toEqual(['pro', 'scale', 'noted']);
    const query = new URL(standIn.calls[0]!.path, standIn.url).searchParams;
    expect(query.get('created[gte]')).toBe('1700000000');
    expect(query.get('limit')).toBe('100');
    expect([...query].filter(([name]) => name.startsWith('types')).map(([, type]) => type)).toEqual([
      ...PAYMENT_EVENT_TYPES,
    ]);
    standIn.failWith(500, 500, 500);
    await expect(listEvents(new Date())).rejects.toMatchObject(failed);
  });

  it.each([
    ['sk_live_1', true],
    ['rk_live_1', true],
    ['sk_test_1', false],
    ['ak_live_1', false],
    ['a_sk_live_1', false],
  ])('with the key %s takes only events whose live mode is %s', async (secretKey, live) => {
    const event = (id: string, livemode: boolean) => ({
      ...{ id, type: 'customer.updated', created: 1, livemode },
      data: { object: { id: 'cus_1' } },
    });
    const other = await createStripeProvider({ ...settings, secretKey });
    standIn.events.splice(0, Number.POSITIVE_INFINITY, event('evt_1', live));
    expect(await listEvents(new Date(0), other)).toMatchObject([{ id: 'evt_1' }]);
    standIn.events.push(event('evt_2', !live));
    await expect(listEvents(new Date(0), other)).rejects.toMatchObject({
      ...failed,
      cause: { code: 'bad_request' },
    });
  });

  it('reports a use under the id of its analysis, so that Stripe counts it once', async () => {
    await provider.reportUsage({
      customerId: 'cus_1',
      analysisId: 'job_7',
      usedAt: new Date(1_700_000_000_000),
    });
    const [call] = standIn.calls.splice(0);
    expect(call?.idempotencyKey).toBe('usage-job_7');
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      event_name: 'earshot_analysis',
      identifier: 'job_7',
      timestamp: '1700000000',
      'payload[stripe_customer_id]': 'cus_1',
      'payload[value]': '1',
    });
  });

  it('fails with its own message, not with that of Stripe, when Stripe keeps failing', async () => {
    standIn.failWith(500, 500, 500);
    await expect(
      provider.createCustomer({ workspaceId: 'ws_2', email: 'b@example.com' }),
    ).rejects.toMatchObject({
      ...failed,
      message: expect.not.stringContaining('planted'),
    });
  });
});
