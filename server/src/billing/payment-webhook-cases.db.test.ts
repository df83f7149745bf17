import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { operations } from '@earshot/contract';
import type { InjectOptions } from 'fastify';
import Stripe from 'stripe';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app/app.ts';
import { newId } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import { openDatabase } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { startStripeStandIn } from '../test/stripe-stand-in.ts';
import { reserveCredits } from '../usage/usage.ts';
import { readBilling } from './billing.ts';
import { createPaymentProvider } from './create-provider.ts';
import { planChangeRoutes } from './plan-change-routes.ts';
import { reconcilePayments, reconcilePaymentsDaily } from './reconcile.ts';
import { billingRoutes } from './routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';

/**
 * The forty ways in which a provider's event may arrive, by name: each says the status, what became of the plan and of the
 * credits, and that what was refused left no trace.
 */

const OLD_SECRET = 'whsec_old_of_the_tests';
const SECRET = 'whsec_new_of_the_tests';
const standIn = await startStripeStandIn();
const ENV = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: `${SECRET}, ${OLD_SECRET}`,
  STRIPE_PRICE_PRO: 'price_pro',
  STRIPE_PRICE_SCALE: 'price_scale',
  STRIPE_API_BASE: standIn.url,
};
const { db } = await createTestDatabase({ connectionsMax: 20 });
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const base = await buildTestContext(db, { clock }, ENV);
const ctx = { ...base, payments: await createPaymentProvider(base.config, clock) };
const buildWebhookApp = (context: typeof ctx) =>
  buildApp(context, [...billingRoutes, ...planChangeRoutes, ...sandboxRoutes], {
    operations: Object.values(operations.billing),
    checkAnswers: true,
  });
const app = buildWebhookApp(ctx);
await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());

const stripe = new Stripe('sk_test_1');
const seconds = () => Math.floor(Date.now() / 1000);

type Event = { id: string; type: string; created: number; data: { object: object } } & Record<
  string,
  unknown
>;

function eventOf(type: string, object: object, more: Record<string, unknown> = {}): Event {
  const id = `evt_${randomBytes(8).toString('hex')}`;
  return { id, type, created: seconds(), livemode: true, data: { object }, ...more };
}

function sign(payload: string, options: { secret?: string; timestamp?: number } = {}): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, ...options });
}

type Sent = { payload: string | Buffer; headers: Record<string, string | string[]> };

async function send({ payload, headers }: Sent, through = app) {
  const request: InjectOptions = {
    method: 'POST',
    url: '/webhooks/stripe',
    headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
    payload,
  };
  const { statusCode: status, body } = await through.inject(request);
  return { status, body: JSON.parse(body) as Record<string, unknown> };
}

const sendEvent = (event: Event) => {
  const payload = JSON.stringify(event);
  return send({ payload, headers: { 'stripe-signature': sign(payload) } });
};

async function createCustomer() {
  const member = await createTestMember(ctx);
  const customerId = `cus_${randomBytes(8).toString('hex')}`;
  const { workspaceId } = member.actor;
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
  return {
    workspaceId,
    customerId,
    subscription,
    invoice: { customer: customerId, subscription: `sub_${customerId}` },
    plan: async () => (await readBilling(db, workspaceId, clock())).plan,
    /** Rows that an effect would leave: changed plans, and credits. */
    traces: async () => {
      const audits = await db.query(
        `select 1 from audit_events where workspace_id = $1 and action = 'billing.update'`,
        [workspaceId],
      );
      const ledger = await db.query('select amount from credit_ledger where workspace_id = $1', [
        workspaceId,
      ]);
      return { audits: audits.length, ledger };
    },
  };
}
const isKept = async (id: string) =>
  (await db.query('select 1 from payment_events where id = $1', [id])).length === 1;

type Customer = Awaited<ReturnType<typeof createCustomer>>;
/** From an event and its own text, what is sent instead. */
type Forgery = (payload: string) => Sent;

const header = (value: string | string[]): Record<string, string | string[]> => ({
  'stripe-signature': value,
});
const withHeader =
  (make: (payload: string) => string | string[]): Forgery =>
  (payload) => ({
    payload,
    headers: header(make(payload)),
  });
/** Signed as it was, sent as something else. */
const changed =
  (change: (payload: string) => string | Buffer): Forgery =>
  (payload) => ({
    payload: change(payload),
    headers: header(sign(payload)),
  });
const bytesOf = (payload: string, count: number) => payload + ' '.repeat(count - payload.length);

const REFUSED: [string, number, Forgery][] = [
  ['forged signature', 400, withHeader(() => `t=${seconds()},v1=${'0'.repeat(64)}`)],
  ['right signature, wrong secret', 400, withHeader((p) => sign(p, { secret: 'whsec_other' }))],
  ['secret of test mode on a live service', 400, withHeader((p) => sign(p, { secret: 'whsec_test_1' }))],
  ['v0 only', 400, withHeader((p) => sign(p).replace('v1=', 'v0='))],
  ['header missing', 400, (payload) => ({ payload, headers: {} })],
  ['header empty', 400, withHeader(() => '')],
  ['header twice', 400, withHeader((p) => [sign(p), sign(p)])],
  [
    'header with 64 characters that are not ASCII',
    400,
    withHeader(() => `t=${seconds()},v1=${'é'.repeat(64)}`),
  ],
  ['header of 12 kB', 400, withHeader((p) => `${sign(p)},v1=${'a'.repeat(12_000)}`)],
  ['t missing', 400, withHeader((p) => sign(p).replace(/^t=\d+,/, ''))],
  ['t = 0', 400, withHeader((p) => sign(p, { timestamp: 0 }).replace(/^t=\d+/, 't=0'))],
  ['t = -1', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=-1'))],
  ['t = NaN', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=NaN'))],
  ['t = 2^63', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=9223372036854775808'))],
  ['stale by 301 s', 400, withHeader((p) => sign(p, { timestamp: seconds() - 301 }))],
  ['from the future by 301 s', 400, withHeader((p) => sign(p, { timestamp: seconds() + 303 }))],
  ['body written anew in another key order', 400, changed((p) => JSON.stringify(reversed(JSON.parse(p))))],
  ['body with other whitespace', 400, changed((p) => JSON.stringify(JSON.parse(p), null, 2))],
  ['body with CRLF', 400, changed((p) => `${p}\r\n`)],
  ['body with a byte order mark', 400, changed((p) => `\ufeff${p}`)],
  ['body with a trailing newline', 400, changed((p) => `${p}\n`)],
  [
    'gzip body, signed before it was packed',
    415,
    (payload) => ({
      payload: gzipSync(payload),
      headers: { ...header(sign(payload)), 'content-encoding': 'gzip' },
    }),
  ],
  [
    'body of 256 KiB and one byte',
    413,
    (payload) => {
      const long = bytesOf(payload, 262_145);
      return { payload: long, headers: header(sign(long)) };
    },
  ],
  [
    'right signature, invalid JSON',
    400,
    (payload) => {
      const broken = payload.slice(0, -1);
      return { payload: broken, headers: header(sign(broken)) };
    },
  ],
  ['livemode of the other mode', 400, resigned((event) => ({ ...event, livemode: false }))],
  ['event of a connected account', 400, resigned((event) => ({ ...event, account: 'acct_other' }))],
];

function reversed(event: object): object {
  return Object.fromEntries(Object.entries(event).reverse());
}

/** The provider's own signature over an event that is not meant for us. */
function resigned(change: (event: Event) => object): Forgery {
  return (payload) => {
    const other = JSON.stringify(change(JSON.parse(payload)));
    return { payload: other, headers: header(sign(other)) };
  };
}

describe('refused, without a trace', () => {
  it.each(REFUSED)('%s: %d', async (_, status, forge) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answer = await send(forge(JSON.stringify(event)));
    expect(answer).toMatchObject({
      status,
      body: { code: expect.stringMatching(/^(bad_|payload_|unsupported_)/) },
    });
    expect([await isKept(event.id), await customer.plan()]).toEqual([false, 'free']);
    expect(await customer.traces()).toEqual({ audits: 0, ledger: [] });
  });

  it('a header of 1 MB, by the parser itself', async () => {
    const { port } = app.server.address() as { port: number };
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      // Whoever writes on after the answer may be told by a reset.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
      });
      socket.write(
        `POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nStripe-Signature: ${'a'.repeat(2 ** 20)}\r\n\r\n`,
      );
    });
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 431');
  });
});

const ACCEPTED: [string, Forgery][] = [
  ['299 s old', withHeader((p) => sign(p, { timestamp: seconds() - 298 }))],
  [
    'two v1, one of them right',
    withHeader((p) => `${sign(p, { secret: 'whsec_other' })},v1=${sign(p).split('v1=')[1]}`),
  ],
  ['signed with the secret that is being replaced', withHeader((p) => sign(p, { secret: OLD_SECRET }))],
  [
    'under another content type: the signature is the proof',
    (payload) => ({ payload, headers: { ...header(sign(payload)), 'content-type': 'text/plain' } }),
  ],
  [
    'a body of 256 KiB',
    (payload) => {
      const long = bytesOf(payload, 262_144);
      return { payload: long, headers: header(sign(long)) };
    },
  ],
];

describe('taken', () => {
  it.each(ACCEPTED)('%s', async (_, make) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answer = await send(make(JSON.stringify(event)));
    expect(answer).toEqual({ status: 200, body: { accepted: true, event_type: event.type } });
    expect([await isKept(event.id), await customer.plan()]).toEqual([true, 'pro']);
  });

  it('a captured request sent again after 10 s changes nothing; after 10 min it is refused', async () => {
    const customer = await createCustomer();
    const payload = JSON.stringify(eventOf('customer.subscription.created', customer.subscription()));
    const captured = { payload, headers: header(sign(payload)) };
    expect((await send(captured)).status).toBe(200);
    aheadMs = 10_000;
    expect((await send(captured)).status).toBe(200);
    aheadMs = 600_000;
    expect((await send(captured)).status).toBe(400);
    aheadMs = 0;
    expect((await customer.traces()).audits).toBe(1);
  });

  it('the same event a hundred times at once: one effect', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendEvent(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await customer.traces()).audits).toBe(1);
  });

  it('the same object in two events: the month is granted once', async () => {
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

  it('an unknown type: 200, not accepted, nothing changed', async () => {
    const customer = await createCustomer();
    const answer = await sendEvent(eventOf('payout.created', { customer: customer.customerId }));
    expect(answer).toEqual({ status: 200, body: { accepted: false, event_type: 'payout.created' } });
    expect(await customer.traces()).toEqual({ audits: 0, ledger: [] });
  });

  it('an unknown customer: 200 and parked, and taken up when the customer is known', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    await db.query('update billing_accounts set customer_id = null where workspace_id = $1', [
      customer.workspaceId,
    ]);
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('free');
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
    '%s after the credits were spent takes none back, and the balance stays above zero',
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
    ['a price that is not ours', { items: { data: [{ price: { id: 'price_cheap' } }] } }],
    [
      'a price that is not ours, with a note that names a plan',
      { items: { data: [{ price: { id: 'price_cheap' } }] }, metadata: { plan: 'scale' } },
    ],
    ['a subscription without items', { items: { data: [] }, metadata: { plan: 'scale' } }],
    ['a first payment that is still open', { status: 'incomplete' }],
    ['a paused subscription', { status: 'paused' }],
  ])('%s grants nothing', async (_, more) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription('price_scale', more));
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('free');
  });

  it('a checkout that was completed grants nothing before its subscription says what was bought', async () => {
    const customer = await createCustomer();
    const session = { customer: customer.customerId, subscription: 'sub_1', metadata: { plan: 'scale' } };
    expect((await sendEvent(eventOf('checkout.session.completed', session))).body.accepted).toBe(true);
    expect(await customer.plan()).toBe('free');
  });

  it('an invoice paid in part leaves the payment failed', async () => {
    const customer = await createCustomer();
    const invoice = {
      ...customer.invoice,
      status: 'open',
      amount_paid: 100,
      amount_remaining: 4800,
    };
    const at = seconds();
    await sendEvent(eventOf('customer.subscription.created', customer.subscription(), { created: at - 30 }));
    await sendEvent(eventOf('invoice.payment_failed', invoice, { created: at - 20 }));
    await sendEvent(eventOf('invoice.paid', invoice, { created: at - 10 }));
    expect((await readBilling(db, customer.workspaceId, clock())).status).toBe('past_due');
    await sendEvent(eventOf('invoice.paid', { ...invoice, status: 'paid', amount_remaining: 0 }));
    expect((await readBilling(db, customer.workspaceId, clock())).status).toBe('active');
  });
});

describe('order', () => {
  it('all 24 orders of four subscription events end in the same state', async () => {
    const at = seconds();
    const ends = new Set<string>();
    for (const order of permutations([0, 1, 2, 3])) {
      const customer = await createCustomer();
      const { subscription } = customer;
      const events = [
        eventOf('customer.subscription.created', subscription('price_pro'), { created: at - 40 }),
        eventOf('customer.subscription.updated', subscription('price_scale'), { created: at - 30 }),
        eventOf('customer.subscription.deleted', subscription('price_scale'), { created: at - 20 }),
        eventOf('customer.subscription.created', subscription('price_pro'), { created: at - 10 }),
      ];
      for (const index of order) await sendEvent(events[index]!);
      ends.add(JSON.stringify(await readBilling(db, customer.workspaceId, clock())));
    }
    expect([...ends].map((end) => JSON.parse(end))).toEqual([
      expect.objectContaining({ plan: 'pro', status: 'active' }),
    ]);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}

describe('a database that is away', () => {
  it('is 503, never 200, so that the provider sends again; the second time counts', async () => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const payload = JSON.stringify(event);
    const away = openDatabase({
      connection: { host: '/nowhere/at/all', port: 1, user: 'nobody', database: 'nothing' },
      log: createLogger({ level: 'silent' }),
    });
    const broken = buildWebhookApp({ ...ctx, db: away });
    const refused = await send({ payload, headers: header(sign(payload)) }, broken);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await broken.close();
    await away.close();
    expect((await sendEvent(event)).status).toBe(200);
    expect(await customer.plan()).toBe('pro');
  });
});

describe('reconciliation', () => {
  it('finds ten of ten events that never came, also one 29 days old, once', async () => {
    const customers = await Promise.all(Array.from({ length: 10 }, createCustomer));
    const created = customers.map(
      (_, index) => seconds() - index * 3 * 86_400 + (index === 9 ? -2 * 86_400 : 0),
    );
    standIn.events.push(
      ...customers.map(({ subscription }, index) =>
        eventOf('customer.subscription.created', subscription(), { created: created[index] }),
      ),
    );
    expect(await reconcilePayments(ctx)).toBe(10);
    expect(new Set(await Promise.all(customers.map(({ plan }) => plan())))).toEqual(new Set(['pro']));
    expect(await reconcilePayments(ctx)).toBe(0);
    for (const { traces } of customers) expect((await traces()).audits).toBe(1);
    standIn.events.length = 0;
  });

  it('runs once a day; after a failure again within the hour', async () => {
    const lateBy = (interval: string) =>
      db.query(`update job_schedules set last_tick_at = last_tick_at - $1::interval`, [interval]);
    const asked = () => standIn.calls.splice(0).filter(({ path }) => path.startsWith('/v1/events')).length;
    asked();
    await reconcilePaymentsDaily(ctx);
    await reconcilePaymentsDaily(ctx);
    expect(asked()).toBe(1);
    await lateBy('1 day');
    // Stripe's package asks three times before it gives up.
    standIn.failWith(500, 500, 500);
    await expect(reconcilePaymentsDaily(ctx)).rejects.toMatchObject({ code: 'payment_provider_failed' });
    await reconcilePaymentsDaily(ctx);
    expect(asked()).toBe(3);
    await lateBy('1 hour');
    await reconcilePaymentsDaily(ctx);
    expect(asked()).toBe(1);
  });
});
