import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Random } from '../random.ts';
import { STRIPE_WEBHOOK_SECRET, startStripeStandIn, subscriptionEvent } from './stripe-stand-in.ts';

let draws: boolean[] = [];
const probabilities: number[] = [];
const stripe = await startStripeStandIn({
  chance(probability: number) {
    probabilities.push(probability);
    return draws.shift() ?? false;
  },
} as unknown as Random);
afterAll(() => stripe.close());
beforeEach(() => void stripe.meterEvents.splice(0));

const post = (path: string, form: Record<string, string>) =>
  fetch(`${stripe.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
const report = () =>
  post('/v1/billing/meter_events', { identifier: 'job_1', 'payload[stripe_customer_id]': 'cus_1' });
const COUNTED = [{ identifier: 'job_1', customerId: 'cus_1' }];

it('remembers the customer of a workspace', async () => {
  const response = await post('/v1/customers', { 'metadata[workspace_id]': 'ws_1' });
  const { id } = (await response.json()) as { id: string };
  expect([stripe.customerOf('ws_1'), stripe.customerOf('ws_2')]).toEqual([id, null]);
});

it('counts a meter event, refuses it, or counts it and loses the answer', async () => {
  stripe.misbehave();
  expect([(await report()).status, stripe.meterEvents]).toEqual([200, COUNTED]);
  stripe.meterEvents.splice(0);
  draws = [true, false];
  expect([(await report()).status, stripe.meterEvents]).toEqual([500, []]);
  draws = [true, true];
  await expect(report()).rejects.toThrow();
  expect(stripe.meterEvents).toEqual(COUNTED);
  stripe.calm();
  await report();
  // The probabilities of a failure and, after one, of a lost answer.
  expect(probabilities).toEqual([0.3, 0.3, 0.5, 0.3, 0.5, 0]);
});

it('signs events as Stripe does: an HMAC of the time and the body', () => {
  const { body, signature } = subscriptionEvent('cus_1', { id: 'evt_1', createdUnixSeconds: 1_700_000_000 });
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) as unknown as string[];
  expect(mac).toBe(createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${seconds}.${body}`).digest('hex'));
  expect(JSON.parse(body)).toMatchObject({
    id: 'evt_1',
    type: 'customer.subscription.updated',
    created: 1_700_000_000,
  });
  expect(JSON.parse(subscriptionEvent('cus_1').body).type).toBe('customer.subscription.created');
});
