import { randomBytes } from 'node:crypto';
import { operations } from '@earshot/contract';
import type { InjectOptions } from 'fastify';
import Stripe from 'stripe';
import { afterAll } from 'vitest';
import { buildApp } from '../app/app.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { readBilling } from './billing.ts';
import { createPaymentProvider } from './create-provider.ts';
import { planChangeRoutes } from './plan-change-routes.ts';
import { billingRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';

export const OLD_SECRET = 'whsec_old_of_the_tests';
const SECRET = 'whsec_new_of_the_tests';
const stripe = new Stripe('sk_test_1');

export type SentEvent = {
  id: string;
  type: string;
  created: number;
  data: { object: object };
  [member: string]: unknown;
};
export type Sent = {
  payload: string | Buffer;
  headers: Record<string, string | string[]>;
  /** The default is the first of the four webhook paths. */
  path?: string;
};

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A live-mode event with a new id. */
export function eventOf(type: string, object: object, more: Record<string, unknown> = {}): SentEvent {
  const id = `evt_${randomBytes(8).toString('hex')}`;
  return { id, type, created: nowSeconds(), livemode: true, data: { object }, ...more };
}

/** Signs with Stripe's own package; `timestamp`, as Stripe names it, is in Unix seconds. */
export function sign(payload: string, options: { secret?: string; timestamp?: number } = {}): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...options });
}

export type Customer = Awaited<ReturnType<Awaited<ReturnType<typeof createTestBilling>>['createCustomer']>>;

/** The billing routes of a service configured for Stripe, and a factory for customers. */
export async function createTestBilling(options: { env?: Record<string, string>; clock?: () => Date } = {}) {
  const { env = {}, clock = () => new Date() } = options;
  const { db } = await createTestDatabase({ connectionsMax: 20 });
  const base = await buildTestContext(
    db,
    { clock },
    {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRET: `${SECRET}, ${OLD_SECRET}`,
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_SCALE: 'price_scale',
      ...env,
    },
  );
  const ctx = { ...base, payments: await createPaymentProvider(base.config, clock) };
  const buildWebhookApp = (context: typeof ctx) =>
    buildApp(context, [...billingRoutes, ...planChangeRoutes, ...sandboxRoutes], {
      operations: Object.values(operations.billing),
      checkAnswers: true,
    });
  const app = buildWebhookApp(ctx);
  afterAll(() => app.close());

  async function send({ payload, headers, path = '/webhooks/stripe' }: Sent, through = app) {
    const request: InjectOptions = {
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
      payload,
    };
    const { statusCode: status, body } = await through.inject(request);
    return { status, body: JSON.parse(body) as Record<string, unknown> };
  }

  const sendEvent = (event: SentEvent) => {
    const payload = JSON.stringify(event);
    return send({ payload, headers: { 'stripe-signature': sign(payload) } });
  };

  async function createCustomer() {
    const member = await createTestMember(ctx);
    const { workspaceId, userId } = member.actor;
    const customerId = `cus_${randomBytes(8).toString('hex')}`;
    await db.query('update billing_accounts set customer_id = $2 where workspace_id = $1', [
      workspaceId,
      customerId,
    ]);
    const subscription = (price = 'price_pro', more: object = {}) => ({
      id: `sub_${customerId}`,
      customer: customerId,
      status: 'active',
      items: { data: [{ price: { id: price } }] },
      ...more,
    });
    const billing = () => readBilling(db, workspaceId, clock());
    return {
      member,
      workspaceId,
      customerId,
      ownerAddress: `${userId}@example.com`,
      subscription,
      invoice: { customer: customerId, subscription: `sub_${customerId}` },
      billing,
      plan: async () => (await billing()).plan,
      /** What an effective event leaves behind: audit events of plan changes, and ledger entries. */
      traces: async () => {
        const audits = await db.query(
          `select 1 from audit_events where workspace_id = $1 and action = 'billing.update'`,
          [workspaceId],
        );
        const ledger = await db.query('select amount from credit_ledger where workspace_id = $1', [
          workspaceId,
        ]);
        return { auditCount: audits.length, ledger };
      },
    };
  }

  /** The stored outcome of an event; null when the event was not stored. */
  const outcomeOf = async (eventId: string) => {
    const row = await db.maybeOne<{ outcome: string }>('select outcome from payment_events where id = $1', [
      eventId,
    ]);
    return row?.outcome ?? null;
  };

  return { db, ctx, app, clock, buildWebhookApp, send, sendEvent, createCustomer, outcomeOf };
}
