import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export type StripeCall = { path: string; form: URLSearchParams; idempotencyKey: string | null };

const CARD_DECLINED_STATUS = 402;
/** Errors of Stripe: an idempotency key reused with another request, a declined card, an action that is no longer possible. */
const REFUSALS = {
  idempotency: [400, 'idempotency_error'],
  declined: [CARD_DECLINED_STATUS, 'card_error'],
  ended: [400, 'invalid_request_error'],
} as const;

/**
 * A status (of a failure before Stripe began), a declined card, an action that is no longer possible, no response at all, or a given
 * body. Null: the normal response.
 */
type NextResponse = number | 'declined' | 'ended' | 'silence' | object | null;

/** The routes of Stripe's API that the service calls, on a real socket, so that Stripe's own package can be used in tests. */
export async function startStripeStandIn() {
  const calls: StripeCall[] = [];
  const nextResponses: NextResponse[] = [];
  /** By idempotency key. As at Stripe, a repeated request gets the answer again, whether it succeeded or was declined. */
  const saved = new Map<string, { request: string; status: number; answer: object }>();
  const events: object[] = [];
  const checkouts = createCheckouts();
  let createdCount = 0;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const path = request.url ?? '';
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
    calls.push({ path, form: new URLSearchParams(body), idempotencyKey: key });
    const respond = (status: number, answer: object) => {
      if (key !== null && (status === 200 || status === CARD_DECLINED_STATUS))
        saved.set(key, { request: path + body, status, answer });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
    const refuse = ([status, type]: readonly [number, string]) =>
      respond(status, { error: { type, message: 'planted failure' } });
    const earlier = key === null ? undefined : saved.get(key);
    if (earlier && earlier.request !== path + body) return refuse(REFUSALS.idempotency);
    if (earlier) return respond(earlier.status, earlier.answer);
    const next = nextResponses.shift() ?? null;
    if (next === 'silence') return;
    if (typeof next === 'number') return refuse([next, 'api_error']);
    if (typeof next === 'string') return refuse(REFUSALS[next]);
    if (next !== null) return respond(200, next);
    const { pathname, searchParams } = new URL(path, `http://${request.headers.host}`);
    const listed = pathname === '/v1/events' ? listOf(events, searchParams) : null;
    const known = listed ?? checkouts.answer(`${request.method} ${pathname}`, searchParams);
    if (known === REFUSED) return refuse(REFUSALS.ended);
    const answer = known ?? answerOf(path, ++createdCount, `http://${request.headers.host}`);
    checkouts.record(answer, new URLSearchParams(body).get('customer'));
    respond(200, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** The events that Stripe lists, newest first. */
    events,
    /** Pays a checkout page, which creates a subscription; false when the page is closed. */
    pay: checkouts.pay,
    /** Sets the next responses. */
    failWith: (...next: NextResponse[]) => void nextResponses.push(...next),
  };
}

const REFUSED = Symbol('refused');

/** Checkout pages, which are open until they are paid or expire, and the subscriptions that payments create. */
function createCheckouts() {
  const sessions: { id: string; customer: string | null; status: 'open' | 'complete' | 'expired' }[] = [];
  const subscriptions: { id: string; customer: string | null; status: string }[] = [];
  const list = (data: object[]) => ({ object: 'list', data, has_more: false });
  const open = (id: string) => sessions.find((session) => session.id === id && session.status === 'open');
  return {
    answer(call: string, query: URLSearchParams): object | null | typeof REFUSED {
      const ofCustomer = <T extends { customer: string | null }>(all: T[]) =>
        all.filter(({ customer }) => customer === query.get('customer'));
      if (call === 'GET /v1/checkout/sessions') {
        return list(ofCustomer(sessions).filter(({ status }) => status === query.get('status')));
      }
      if (call === 'GET /v1/subscriptions') return list(ofCustomer(subscriptions));
      const expiring = /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(call)?.[1];
      if (expiring === undefined) return null;
      const session = open(expiring);
      return session ? Object.assign(session, { status: 'expired' }) : REFUSED;
    },
    record(answer: { object?: string; id?: string; url?: string }, customer: string | null): void {
      if (answer.object !== 'checkout.session' || answer.id === undefined || answer.url === undefined) return;
      sessions.push({ id: answer.id, customer, status: 'open' });
    },
    pay(id: string): boolean {
      const session = open(id);
      if (!session) return false;
      session.status = 'complete';
      subscriptions.push({ id: `sub_of_${id}`, customer: session.customer, status: 'active' });
      return true;
    },
  };
}

/** Few, so that lists in tests have several pages. */
const PAGE_EVENTS = 2;

function listOf(events: object[], query: URLSearchParams): object {
  const all = events as { id: string; created: number }[];
  const recent = all.filter((event) => event.created >= Number(query.get('created[gte]') ?? 0));
  const from = recent.findIndex((event) => event.id === query.get('starting_after')) + 1;
  const data = recent.slice(from, from + PAGE_EVENTS);
  return { object: 'list', url: '/v1/events', data, has_more: from + PAGE_EVENTS < recent.length };
}

function answerOf(path: string, number: number, origin: string): object {
  switch (path) {
    case '/v1/customers/cus_1':
      return { id: 'cus_1', object: 'customer', deleted: true };
    case '/v1/customers':
      return { id: `cus_${number}`, object: 'customer' };
    case '/v1/checkout/sessions':
      return { id: `cs_${number}`, object: 'checkout.session', url: `${origin}/pay/cs_${number}` };
    case '/v1/billing_portal/sessions':
      return { id: `bps_${number}`, object: 'billing_portal.session', url: `${origin}/portal/bps_${number}` };
    case '/v1/billing/meter_events':
      return { object: 'billing.meter_event', identifier: `use_${number}` };
    case '/v1/invoices/create_preview':
      return { object: 'invoice', total: 31_250, currency: 'eur' };
    case '/v1/prices/price_pro':
      return { id: 'price_pro', object: 'price', unit_amount: 3_900, currency: 'eur' };
    case '/v1/prices/price_scale':
      return { id: 'price_scale', object: 'price', unit_amount: 29_900, currency: 'eur' };
    case '/v1/subscriptions/sub_pro':
      return { id: 'sub_pro', object: 'subscription', items: { data: [itemOf('price_pro')] } };
    case '/v1/subscriptions/sub_scale':
      return {
        id: 'sub_scale',
        object: 'subscription',
        items: { data: [itemOf('price_scale'), itemOf('price_overage')] },
      };
    default:
      throw new Error(`The stand-in does not implement ${path}`);
  }
}

function itemOf(price: string): object {
  return { id: `si_${price}`, object: 'subscription_item', price: { id: price } };
}
