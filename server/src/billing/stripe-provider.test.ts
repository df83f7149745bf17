import { describe, expect, it } from 'vitest';
import type { Transaction } from '../platform/postgres.ts';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { createStripeProvider } from './stripe-provider.ts';

/** Stripe keeps its sessions itself. */
const NO_TRANSACTION = null as unknown as Transaction;
const standIn = await startStripeStandIn();
const provider = await createStripeProvider({
  secretKey: 'sk_test_1',
  webhookSecrets: ['whsec_1'],
  prices: { pro: 'price_pro', scale: 'price_scale', scaleOverage: 'price_overage' },
  meterEventName: 'earshot_analysis',
  apiBase: new URL(standIn.url),
});

describe('Stripe', () => {
  it('is asked for a customer, again with the same idempotency key when it stumbles', async () => {
    standIn.failWith(503);
    const { customerId } = await provider.createCustomer({ workspaceId: 'ws_1', email: 'a@example.com' });
    expect(customerId).toMatch(/^cus_/);
    const calls = standIn.calls.splice(0);
    expect(calls.map((call) => [call.path, call.idempotencyKey])).toEqual([
      ['/v1/customers', 'customer-ws_1'],
      ['/v1/customers', 'customer-ws_1'],
    ]);
    expect(calls[0]?.form.get('metadata[workspace_id]')).toBe('ws_1');
  });

  it('gives checkout and portal addresses', async () => {
    const checkout = await provider.createCheckoutSession(
      {
        workspaceId: 'ws_1',
        customerId: 'cus_1',
        plan: 'scale',
        successUrl: 'https://example.com/ok',
        cancelUrl: 'https://example.com/no',
      },
      NO_TRANSACTION,
    );
    expect(checkout.url).toContain(`/pay/${checkout.id}`);
    const call = standIn.calls.splice(0).at(-1);
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      mode: 'subscription',
      customer: 'cus_1',
      'line_items[0][price]': 'price_scale',
      'line_items[0][quantity]': '1',
      'line_items[1][price]': 'price_overage',
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
    standIn.calls.splice(0);
  });

  it('is asked for a price once in a while, and again after a failure', async () => {
    standIn.failWith(500, 500, 500);
    await expect(provider.priceOf('pro')).rejects.toMatchObject({ code: 'payment_provider_failed' });
    standIn.calls.splice(0);
    expect(await provider.priceOf('pro')).toEqual({ amount: 3_900, currency: 'eur' });
    expect(await provider.priceOf('pro')).toEqual({ amount: 3_900, currency: 'eur' });
    expect(standIn.calls.splice(0).map(({ path }) => path)).toEqual(['/v1/prices/price_pro']);
  });

  it('closes the page before when a second one is opened: only one of them can be paid', async () => {
    const order = {
      workspaceId: 'ws_1',
      customerId: 'cus_two_tabs',
      plan: 'pro',
      successUrl: 'https://app.example/done',
      cancelUrl: 'https://app.example/back',
    } as const;
    const [first, second] = [
      await provider.createCheckoutSession(order, NO_TRANSACTION),
      await provider.createCheckoutSession({ ...order, plan: 'scale' }, NO_TRANSACTION),
    ];
    const other = await provider.createCheckoutSession(
      { ...order, customerId: 'cus_somebody_else' },
      NO_TRANSACTION,
    );
    expect([standIn.pay(first.id), standIn.pay(second.id), standIn.pay(other.id)]).toEqual([
      false,
      true,
      true,
    ]);
    // Paid over there, and no event has told us yet.
    await expect(provider.createCheckoutSession(order, NO_TRANSACTION)).rejects.toMatchObject({
      code: 'subscription_exists',
    });
  });

  it('changes the subscription itself, with the difference billed at the moment it was quoted for', async () => {
    const proratedAt = new Date(1_700_000_000_000);
    const change = { workspaceId: 'ws_1', customerId: 'cus_1', proratedAt };
    const upgrade = { ...change, subscriptionId: 'sub_pro', from: 'pro', plan: 'scale' } as const;
    expect(await provider.quotePlanChange(upgrade)).toEqual({ amountDue: 31_250, currency: 'eur' });
    const preview = standIn.calls.splice(0).at(-1);
    expect(Object.fromEntries(preview?.form ?? [])).toMatchObject({
      subscription: 'sub_pro',
      'subscription_details[items][0][id]': 'si_price_pro',
      'subscription_details[items][0][price]': 'price_scale',
      'subscription_details[items][1][price]': 'price_overage',
      'subscription_details[proration_date]': '1700000000',
    });
    await provider.changePlan({ ...upgrade, changeId: 'pay_1' });
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
    });
    const downgrade = { ...change, subscriptionId: 'sub_scale', from: 'scale', plan: 'pro' } as const;
    await provider.changePlan({ ...downgrade, changeId: 'pay_2' });
    expect(Object.fromEntries(standIn.calls.splice(0).at(-1)?.form ?? [])).toMatchObject({
      'items[0][price]': 'price_pro',
      'items[1][id]': 'si_price_overage',
      'items[1][deleted]': 'true',
    });
  });

  it('has made a change that was asked for twice, and promises nothing where it did not answer', async () => {
    const change = {
      changeId: 'pay_3',
      workspaceId: 'ws_1',
      customerId: 'cus_1',
      proratedAt: new Date(1_700_000_000_000),
      subscriptionId: 'sub_pro',
      from: 'pro',
      plan: 'scale',
    } as const;
    // The subscription as the first request has left it: the second is another request under the same key.
    standIn.failWith(null, 'idempotency');
    expect(await provider.changePlan(change)).toEqual([]);
    standIn.failWith(null, 500, 500, 500);
    await expect(provider.changePlan({ ...change, changeId: 'pay_4' })).rejects.toMatchObject({
      code: 'payment_provider_failed',
      message: expect.not.stringContaining('Nothing was changed'),
    });
    standIn.calls.splice(0);
  });

  it('counts a use under the id of its analysis', async () => {
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
    });
  });

  it('that keeps failing is a 502 whose words are ours', async () => {
    standIn.failWith(500, 500, 500);
    await expect(
      provider.createCustomer({ workspaceId: 'ws_2', email: 'b@example.com' }),
    ).rejects.toMatchObject({
      code: 'payment_provider_failed',
      message: expect.not.stringContaining('planted'),
    });
  });
});
