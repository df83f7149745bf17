/** Whether the service believes those who say that somebody paid. */
import { createHmac, randomBytes } from 'node:crypto';
import { expect } from '../expect.mjs';
import { post, readJson } from '../requests.mjs';
import { API_PORTS, SANDBOX_PORT, urlOf } from './addresses.mjs';

/** An event as Stripe sends it while a secret is rolled: one signature per valid secret. */
export async function expectEvent(secrets, status, port = API_PORTS[0]) {
  const sentSeconds = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'product.created',
    created: sentSeconds,
    data: { object: { id: 'prod_1', object: 'product' } },
  });
  const sign = (secret) => createHmac('sha256', secret).update(`${sentSeconds}.${body}`).digest('hex');
  const signature = [`t=${sentSeconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const response = await fetch(urlOf(port, '/v1/billing/stripe/webhook'), { method: 'POST', headers, body });
  expect([secrets.join(), response.status], [secrets.join(), status]);
}

/** Somebody signs in, buys a plan on the sandbox's own page, and has it: the event was signed and believed. */
export async function expectPurchase(plan) {
  const ask = async (path, body, headers) => readJson(await post(urlOf(SANDBOX_PORT, path), body, headers));
  const { challenge_id, dev_code } = await ask('/v1/auth/email/start', { email: `${plan}@example.com` });
  const { access_token } = await ask('/v1/auth/email/verify', { challenge_id, code: dev_code });
  const bearer = { authorization: `Bearer ${access_token}` };
  const urls = { success_url: 'https://example.com/', cancel_url: 'https://example.com/' };
  const { url } = await ask('/v1/billing/checkout-sessions', { plan, ...urls }, bearer);
  const form = { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'pay' }) };
  expect((await fetch(urlOf(SANDBOX_PORT, new URL(url).pathname), form)).status, 303);
  const response = await fetch(urlOf(SANDBOX_PORT, '/v1/billing/status'), { headers: bearer });
  expect((await response.json()).plan, plan);
}
