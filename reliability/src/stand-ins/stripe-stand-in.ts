import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Random } from '../random.ts';
import { listenOnLoopback } from './listen.ts';

export const STRIPE_WEBHOOK_SECRET = 'whsec_marker_of_the_payment_provider';
export const STRIPE_PRICE_SCALE = 'price_scale';

export type MeterEvent = { identifier: string; customerId: string };

export type StripeStandIn = {
  url: string;
  /** Every report that was counted, including repeated ones; Stripe itself counts an identifier once. */
  meterEvents: MeterEvent[];
  customerOf(workspaceId: string): string | null;
  /** From now on three in ten meter events fail: half are refused, half are counted and the answer is lost. */
  misbehave(): void;
  calm(): void;
  close(): Promise<void>;
};

/** The routes of Stripe's API that the service calls. */
export async function startStripeStandIn(random: Random): Promise<StripeStandIn> {
  const meterEvents: MeterEvent[] = [];
  const customers = new Map<string, string>();
  let failingShare = 0;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const reply = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    // Before a checkout the service lists open sessions and subscriptions: there are none.
    if (request.method === 'GET') return void reply({ object: 'list', data: [], has_more: false });
    switch (request.url) {
      case '/v1/customers': {
        const id = `cus_${randomBytes(6).toString('hex')}`;
        customers.set(form.get('metadata[workspace_id]') ?? '', id);
        return void reply({ id, object: 'customer' });
      }
      case '/v1/checkout/sessions':
        return void reply({ id: 'cs_1', object: 'checkout.session', url: 'http://127.0.0.1/pay' });
      case '/v1/billing/meter_events': {
        const fails = random.chance(failingShare);
        const lost = fails && random.chance(0.5);
        const event = {
          identifier: form.get('identifier') ?? '',
          customerId: form.get('payload[stripe_customer_id]') ?? '',
        };
        if (!fails || lost) meterEvents.push(event);
        if (lost) return void request.socket.resetAndDestroy();
        if (fails) return void response.writeHead(500).end('{"error":{"message":"planted"}}');
        return void reply({ object: 'billing.meter_event', identifier: event.identifier });
      }
      default:
        return void response.writeHead(404).end('{}');
    }
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    meterEvents,
    customerOf: (workspaceId) => customers.get(workspaceId) ?? null,
    misbehave() {
      failingShare = 0.3;
    },
    calm() {
      failingShare = 0;
    },
    close,
  };
}

/** A signed event: the customer has subscribed or, with `update`, the subscription was updated. */
export function subscriptionEvent(
  customerId: string,
  update?: { id: string; createdUnixSeconds: number },
): { body: string; signature: string } {
  const nowUnixSeconds = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id: update?.id ?? `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: update ? 'customer.subscription.updated' : 'customer.subscription.created',
    created: update?.createdUnixSeconds ?? nowUnixSeconds,
    data: {
      object: {
        id: `sub_${customerId}`,
        object: 'subscription',
        customer: customerId,
        status: 'active',
        items: { data: [{ price: { id: STRIPE_PRICE_SCALE } }] },
      },
    },
  });
  const mac = createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${nowUnixSeconds}.${body}`).digest('hex');
  return { body, signature: `t=${nowUnixSeconds},v1=${mac}` };
}
