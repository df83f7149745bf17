import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Transaction } from '../platform/postgres.ts';
import { createPaymentProvider } from './create-provider.ts';
import { signEvent } from './event-signature.ts';
import { type SandboxAction, sandboxEvents } from './sandbox-events.ts';
import { createSandboxProvider, sandboxPrice, sandboxWebhookSecret, signEvents } from './sandbox-provider.ts';

const SECRET_KEY = 'the secret key of every test in this house';
const configOf = (env: Record<string, string> = {}) =>
  readConfig({ HOST: '0.0.0.0', BASE_URL: 'https://earshot.example', SECRET_KEY, ...env }, () => SECRET_KEY);
const open = configOf({ ALLOW_SANDBOX_PAYMENTS: 'true' });
const now = new Date('2026-03-10T12:00:00.900Z');
/** The sandbox writes only its sessions to the database, and no test here opens one. */
const NO_TRANSACTION = null as unknown as Transaction;
const sandbox = createSandboxProvider(open, () => now);
const closed = createSandboxProvider(configOf(), () => now);

const from = {
  customerId: 'cus_1',
  subscriptionId: 'sub_old',
  session: { id: 'pay_1', workspaceId: 'ws_1', plan: 'pro' },
  price: { amount: 4_900, currency: 'usd' },
  now,
};
const invoiceOf = (description: string) => ({
  id: 'in_pay_1',
  object: 'invoice',
  customer: 'cus_1',
  total: 4_900,
  currency: 'usd',
  lines: { data: [{ description, amount: 4_900 }] },
});

describe('what the sandbox reports', () => {
  it.each<[SandboxAction, [string, string | null][]]>([
    [
      'subscribe',
      [
        ['checkout.session.completed', 'sub_pay_1'],
        ['customer.subscription.created', 'sub_pay_1'],
        ['invoice.paid', 'sub_pay_1'],
      ],
    ],
    [
      'change',
      [
        ['customer.subscription.updated', 'sub_old'],
        ['invoice.paid', 'sub_old'],
      ],
    ],
    ['cancel', [['customer.subscription.deleted', 'sub_old']]],
    ['pay', [['invoice.paid', 'sub_old']]],
    ['fail_payment', [['invoice.payment_failed', 'sub_old']]],
  ])('of the action %s, in order', (action, expected) => {
    const events = sandboxEvents(action, from);
    expect(
      events.map(({ type, data }) => {
        const object = data.object as { id: string; object: string; subscription?: string };
        return [type, object.object === 'subscription' ? object.id : object.subscription];
      }),
    ).toEqual(expected);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const { id, object, created } of events) {
      expect(id).toMatch(/^evt_sandbox_[0-9a-f]{24}$/);
      expect([object, created]).toEqual(['event', 1_773_144_000]);
    }
  });

  it('is a subscription to the plan, its first invoice, and later its end', () => {
    const [, created, paid] = sandboxEvents('subscribe', from);
    expect(created!.data.object).toEqual({
      id: 'sub_pay_1',
      object: 'subscription',
      customer: 'cus_1',
      status: 'active',
      items: { data: [{ price: { id: 'price_sandbox_pro' } }] },
      metadata: { workspace_id: 'ws_1', plan: 'pro' },
    });
    expect(paid!.data.object).toEqual({ ...invoiceOf('Earshot pro, one month'), subscription: 'sub_pay_1' });
    expect(sandboxEvents('cancel', from)[0]!.data.object).toMatchObject({ status: 'canceled' });
  });

  it.each<[SandboxAction, string]>([
    ['change', 'Change to Earshot pro, the rest of the month'],
    ['pay', 'Earshot pro, one month'],
    ['fail_payment', 'Earshot pro, one month'],
  ])('of the action %s is an invoice for "%s"', (action, words) => {
    expect(sandboxEvents(action, from).at(-1)!.data.object).toMatchObject(invoiceOf(words));
  });

  it('is signed and accepted by the sandbox, but not where play money is forbidden', () => {
    const [signed] = signEvents(open, sandboxEvents('change', from), now);
    const read = sandbox.readEvent(Buffer.from(signed!.payload), signed!.signature, now);
    expect(read).toMatchObject({
      type: 'customer.subscription.updated',
      customerId: 'cus_1',
      change: { kind: 'subscription', subscriptionId: 'sub_old', plan: 'pro' },
    });

    expect(() => closed.readEvent(Buffer.from(signed!.payload), signed!.signature, now)).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    );
  });

  it('is signed with a secret that is configured or derived from that of the service', () => {
    expect(sandboxWebhookSecret(configOf({ PAYMENT_WEBHOOK_SECRET: 'whsec_given' }))).toBe('whsec_given');
    expect(sandboxWebhookSecret(open)).toMatch(/^[0-9a-f]{64}$/);
    expect(sandboxWebhookSecret(open)).toBe(sandboxWebhookSecret(configOf()));
  });
});

describe('the sandbox', () => {
  const change = {
    workspaceId: 'ws_1',
    customerId: 'cus_1',
    subscriptionId: 'sub_old',
    from: 'pro',
    plan: 'scale',
    proratedAt: new Date('2026-04-16T00:00:00Z'),
  } as const;

  it('charges the difference of two plans for the rest of the month', async () => {
    // Half of April: half of 450 dollars.
    expect(await sandbox.quotePlanChange(change)).toEqual({ amountDue: 22_500, currency: 'usd' });
    expect((await sandbox.quotePlanChange({ ...change, from: 'scale', plan: 'pro' })).amountDue).toBe(
      -22_500,
    );
    const monthBegins = { ...change, proratedAt: new Date('2026-04-01T00:00:00Z') };
    expect((await sandbox.quotePlanChange(monthBegins)).amountDue).toBe(45_000);
    const thirdLeft = { ...change, proratedAt: new Date('2026-04-21T00:00:01Z') };
    expect((await sandbox.quotePlanChange(thirdLeft)).amountDue).toBe(15_000);
  });

  it('reports a change of plan with its subscription and invoice', async () => {
    const [updated, paid] = (await sandbox.changePlan({ ...change, changeId: 'pay_9' })).map(({ payload }) =>
      JSON.parse(payload),
    );
    expect(updated.data.object).toMatchObject({ id: 'sub_old', metadata: { plan: 'scale' } });
    expect(paid.data.object).toMatchObject({ id: 'in_pay_9', total: 22_500, currency: 'usd' });
  });

  it('derives the id of a customer from the workspace', async () => {
    const named = async (workspaceId: string) =>
      (await sandbox.createCustomer({ workspaceId, email: 'a@example.com' })).customerId;
    expect(await named('ws_1')).toMatch(/^cus_sandbox_[0-9a-f]{20}$/);
    expect(await named('ws_1')).toBe(await named('ws_1'));
    expect(await named('ws_2')).not.toBe(await named('ws_1'));
  });

  it('has prices of its own, and lists no events', async () => {
    expect([sandboxPrice('free'), await sandbox.priceOf('pro'), await sandbox.priceOf('scale')]).toEqual(
      [0, 4_900, 49_900].map((amount) => ({ amount, currency: 'usd' })),
    );
    const events: unknown[] = [];
    for await (const event of sandbox.listEvents(now)) events.push(event);
    expect(events).toEqual([]);
  });

  it('sells nothing where play money is forbidden', async () => {
    expect(await closed.priceOf('pro')).toBeNull();
    const refused = expect.objectContaining({ code: 'payments_not_configured' });
    const checkout = { ...change, successUrl: '', cancelUrl: '' };
    await expect(closed.createCheckoutSession(checkout, NO_TRANSACTION)).rejects.toEqual(refused);
    await expect(closed.createPortalSession({ ...change, returnUrl: '' }, NO_TRANSACTION)).rejects.toEqual(
      refused,
    );
    await expect(closed.quotePlanChange(change)).rejects.toEqual(refused);
  });
});

describe('the payment provider', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2',
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_SCALE: 'price_scale',
  };
  const providerOf = (env: Record<string, string>) => createPaymentProvider(configOf(env), () => now);

  it('is Stripe when it is configured, the sandbox otherwise', async () => {
    expect([(await providerOf({})).name, (await providerOf(stripe)).name]).toEqual(['sandbox', 'stripe']);
  });

  it('accepts each of the secrets of Stripe, and knows its prices', async () => {
    const provider = await providerOf(stripe);
    const event = {
      id: 'evt_1',
      type: 'customer.subscription.updated',
      created: 1_773_144_000,
      data: {
        object: {
          id: 'sub_1',
          customer: 'cus_1',
          status: 'active',
          items: { data: [{ price: { id: 'price_scale' } }] },
        },
      },
    };
    const rawBody = Buffer.from(JSON.stringify(event));
    for (const secret of ['whsec_1', 'whsec_2']) {
      const read = provider.readEvent(rawBody, signEvent(secret, rawBody, now), now);
      expect(read.change).toMatchObject({ kind: 'subscription', plan: 'scale' });
    }
  });

  it('refuses a signature with an empty secret, also where the list of secrets ends with a comma', async () => {
    const provider = await providerOf({ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_1, ' });
    const rawBody = Buffer.from('{}');
    expect(() => provider.readEvent(rawBody, signEvent('', rawBody, now), now)).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    );
  });

  it('does not sell a plan without a configured price', async () => {
    const { STRIPE_PRICE_PRO: _, ...withoutPro } = stripe;
    const provider = await providerOf(withoutPro);
    expect(await provider.priceOf('pro')).toBeNull();
    const order = {
      workspaceId: 'ws_1',
      customerId: 'cus_1',
      plan: 'pro',
      successUrl: '',
      cancelUrl: '',
    } as const;
    await expect(provider.createCheckoutSession(order, NO_TRANSACTION)).rejects.toMatchObject({
      code: 'payments_not_configured',
    });
  });
});
