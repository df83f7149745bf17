/** Checks that the service trusts payment events with a valid signature, and only those. */
import { createHmac, randomBytes } from 'node:crypto';
import { expect } from '../expect.mjs';
import { post, readJson } from '../requests.mjs';
import { API_PORTS, SANDBOX_PORT, urlOf } from './addresses.mjs';

/** Sends an event as Stripe does while a secret is rolled: with one signature per valid secret. */
export async function expectEventStatus(secrets, status, port = API_PORTS[0]) {
  const sentUnixSeconds = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'product.created',
    created: sentUnixSeconds,
    data: { object: { id: 'prod_1', object: 'product' } },
  });
  const sign = (secret) => createHmac('sha256', secret).update(`${sentUnixSeconds}.${body}`).digest('hex');
  const signature = [`t=${sentUnixSeconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const response = await fetch(urlOf(port, '/v1/billing/stripe/webhook'), { method: 'POST', headers, body });
  expect([secrets.join(), response.status], [secrets.join(), status]);
}

/** Signs in and buys a plan on the sandbox's payment page. The plan is active only if the sandbox's event was signed and accepted. */
export async function expectPurchase(plan) {
  const request = async (path, body, headers) =>
    readJson(await post(urlOf(SANDBOX_PORT, path), body, headers));
  const { challenge_id, dev_code } = await request('/v1/auth/email/start', { email: `${plan}@example.com` });
  const { access_token } = await request('/v1/auth/email/verify', { challenge_id, code: dev_code });
  const bearer = { authorization: `Bearer ${access_token}` };
  const urls = { success_url: 'https://example.com/', cancel_url: 'https://example.com/' };
  const { url } = await request('/v1/billing/checkout-sessions', { plan, ...urls }, bearer);
  const form = { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'pay' }) };
  expect((await fetch(urlOf(SANDBOX_PORT, new URL(url).pathname), form)).status, 303);
  const response = await fetch(urlOf(SANDBOX_PORT, '/v1/billing/status'), { headers: bearer });
  expect((await response.json()).plan, plan);
}
