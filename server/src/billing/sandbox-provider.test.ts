import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Transaction } from '../platform/postgres.ts';
import { signEvent } from './event-signature.ts';
import { type SandboxAction, sandboxEvents } from './sandbox-events.ts';
import { createSandboxProvider, sandboxPrice, sandboxWebhookSecret, signEvents } from './sandbox-provider.ts';

const SECRET_KEY = 'a secret key that is long enough for tests';
const configOf = (env: Record<string, string> = {}) =>
  readConfig({ HOST: '0.0.0.0', BASE_URL: 'https://earshot.example', SECRET_KEY, ...env }, () => SECRET_KEY);
const allowed = configOf({ ALLOW_SANDBOX_PAYMENTS: 'true' });
const now = new Date('2026-03-10T12:00:00.900Z');
/** The sandbox stores only sessions in the database, and no test here opens one. */
const NO_TRANSACTION = null as unknown as Transaction;
const sandbox = createSandboxProvider(allowed, () => now);
const forbidden = createSandboxProvider(configOf(), () => now);

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

describe('the events of the sandbox', () => {
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
  ])('for the action %s, in order', (action, expected) => {
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

  it('are a subscription to the plan, its first invoice, and later its end', () => {
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
  ])('for the action %s include an invoice for "%s"', (action, description) => {
    expect(sandboxEvents(action, from).at(-1)!.data.object).toMatchObject(invoiceOf(description));
  });

  it('are signed and accepted by the sandbox, but not where play money is forbidden', () => {
    const [signed] = signEvents(allowed, sandboxEvents('change', from), now);
    const read = sandbox.readEvent(Buffer.from(signed!.payload), signed!.signature, now);
    expect(read).toMatchObject({
      type: 'customer.subscription.updated',
      customerId: 'cus_1',
      change: { kind: 'subscription', subscriptionId: 'sub_old', plan: 'pro' },
    });

    expect(() => forbidden.readEvent(Buffer.from(signed!.payload), signed!.signature, now)).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    );
  });

  it('are signed with a secret that is configured, or derived from SECRET_KEY', () => {
    const given = configOf({ PAYMENT_WEBHOOK_SECRET: 'whsec_given' });
    expect(sandboxWebhookSecret(given)).toBe('whsec_given');
    for (const config of [given, allowed]) {
      const [signed] = signEvents(config, sandboxEvents('pay', from), now);
      expect(signed!.signature).toBe(signEvent(sandboxWebhookSecret(config), signed!.payload, now));
    }
    expect(sandboxWebhookSecret(allowed)).toMatch(/^[0-9a-f]{64}$/);
    expect(sandboxWebhookSecret(allowed)).toBe(sandboxWebhookSecret(configOf()));
    const otherKey = configOf({ SECRET_KEY: 'another secret key that is long enough for tests' });
    expect(sandboxWebhookSecret(otherKey)).not.toBe(sandboxWebhookSecret(allowed));
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

  it('charges the price difference for the rest of the month', async () => {
    // Half of April: half of 450 dollars.
    expect(await sandbox.quotePlanChange(change)).toEqual({ amountDue: 22_500, currency: 'usd' });
    expect((await sandbox.quotePlanChange({ ...change, from: 'scale', plan: 'pro' })).amountDue).toBe(
      -22_500,
    );
    const atMonthStart = { ...change, proratedAt: new Date('2026-04-01T00:00:00Z') };
    expect((await sandbox.quotePlanChange(atMonthStart)).amountDue).toBe(45_000);
    // A second less than a third of April is 14,999.98 cents, which is rounded.
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
    const customerOf = async (workspaceId: string) =>
      (await sandbox.createCustomer({ workspaceId, email: 'a@example.com' })).customerId;
    expect(await customerOf('ws_1')).toMatch(/^cus_sandbox_[0-9a-f]{20}$/);
    expect(await customerOf('ws_1')).toBe(await customerOf('ws_1'));
    expect(await customerOf('ws_2')).not.toBe(await customerOf('ws_1'));
  });

  it('has its own prices, and lists no events', async () => {
    expect([sandboxPrice('free'), await sandbox.priceOf('pro'), await sandbox.priceOf('scale')]).toEqual(
      [0, 4_900, 49_900].map((amount) => ({ amount, currency: 'usd' })),
    );
    const events: unknown[] = [];
    for await (const event of sandbox.listEvents(now)) events.push(event);
    expect(events).toEqual([]);
  });

  it('sells nothing where play money is forbidden', async () => {
    expect(await forbidden.priceOf('pro')).toBeNull();
    const refused = expect.objectContaining({ code: 'payments_not_configured' });
    const checkout = { ...change, successUrl: '', cancelUrl: '' };
    await expect(forbidden.createCheckoutSession(checkout, NO_TRANSACTION)).rejects.toEqual(refused);
    await expect(forbidden.createPortalSession({ ...change, returnUrl: '' }, NO_TRANSACTION)).rejects.toEqual(
      refused,
    );
    await expect(forbidden.quotePlanChange(change)).rejects.toEqual(refused);
  });
});
