import { expect, it } from 'vitest';
import { createTestClient } from '../client.ts';
import { startLocalServer } from '../local-server.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';
import { signIn, startJourneyService } from './journey-service.ts';

/** The limits of the free tier, an upgrade in the sandbox, a failed payment, batches, and the demo. */

const service = await startJourneyService({ REQUESTS_PER_MINUTE: '100000' });
const origin = await startLocalServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'audio/wav' }).end(makeWav({ seconds: 2 }));
});
const urls = (count: number) =>
  Array.from({ length: count }, (_, index) => `${origin.url}/song-${index}.wav`);

/** The service analyses a hundred songs meanwhile, on a busy machine. */
const QUOTA_TIMEOUT_MS = 120_000;

type Usage = { limit: number; count: number; remaining: number; tier: string };

it('answers 402 at the end of the free tier, and accepts more after the sandbox checkout', {
  timeout: QUOTA_TIMEOUT_MS,
}, async () => {
  const account = await service.client.post<{ api_key: string }>('/v1/auth/register', {
    email: 'buyer@example.com',
  });
  const buyer = createTestClient(service.url, { 'x-api-key': account.body.api_key });
  for (let batch = 0; batch < 10; batch++) {
    expect((await buyer.post('/v1/batch', { urls: urls(10) })).status).toBe(202);
  }
  const refused = await buyer.post('/v1/analyze/url', { url: urls(1)[0] });
  expect(refused.status).toBe(402);
  expect(refused.body).toMatchObject({
    code: 'quota_exceeded',
    limit: 100,
    count: 100,
    resets_at: expect.any(String),
  });

  const { client: owner } = await signIn(service.client, service.url, 'buyer@example.com');
  const checkout = await owner.post<{ url: string }>('/v1/billing/checkout-sessions', {
    plan: 'pro',
    success_url: 'https://example.com/done',
  });
  const paid = await pressButton(checkout.body.url, 'pay');
  expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://example.com/done']);
  expect((await buyer.get<Usage>('/v1/usage')).body).toMatchObject({ tier: 'pro', limit: 5_000, count: 100 });
  expect((await buyer.post('/v1/analyze/url', { url: urls(1)[0] })).status).toBe(202);

  const portal = await owner.post<{ url: string }>('/v1/billing/portal-sessions');
  await pressButton(portal.body.url, 'fail');
  expect((await owner.get('/v1/billing/status')).body).toMatchObject({ plan: 'pro', status: 'past_due' });
  expect((await buyer.post('/v1/analyze/url', { url: urls(1)[0] })).status).toBe(202);
  await pressButton(portal.body.url, 'cancel');
  expect((await owner.get('/v1/billing/status')).body).toMatchObject({ plan: 'free' });
});

it('accepts a batch of ten, and refuses one of eleven or with a forbidden address as a whole', async () => {
  const account = await service.client.post<{ api_key: string }>('/v1/auth/register', {
    email: 'batch@example.com',
  });
  const client = createTestClient(service.url, { 'x-api-key': account.body.api_key });
  const ten = await client.post<{ jobs: { job_id: string; status: string; url: string }[] }>(
    '/v1/analyze/batch',
    {
      items: urls(10).map((url) => ({ url })),
    },
  );
  expect(ten.status).toBe(202);
  expect(ten.body.jobs.map((job) => job.url)).toEqual(urls(10));
  const eleven = await client.post<{ detail: { type: string }[] }>('/v1/batch', { urls: urls(11) });
  expect([eleven.status, eleven.body.detail[0]?.type]).toEqual([422, 'too_long']);
  const mixed = await client.post('/v1/batch', { urls: [...urls(1), 'http://10.0.0.1/private.wav'] });
  expect(mixed.status).toBe(422);
  expect((await client.get<Usage>('/v1/usage')).body.count).toBe(10);
});

it('shows the result of a demo only with its token', async () => {
  const demo = await service.client.post<{ job_id: string; poll_url: string }>('/v1/demo/analyze/url', {
    url: urls(1)[0],
  });
  expect(demo.status).toBe(202);
  const pollPath = demo.body.poll_url.slice(service.url.length);
  const poll = () => service.client.get<{ status: string; result: object | null }>(pollPath);
  await until(async () => (await poll()).status !== 202, 'the demo has ended');
  expect((await poll()).body).toMatchObject({ status: 'completed', result: { duration_seconds: 2 } });
  const path = pollPath.replace(/\?.*/, '');
  expect((await service.client.get(path)).status).toBe(404);
  expect((await service.client.get(`${path}?token=${'x'.repeat(43)}`)).status).toBe(404);
  expect((await service.client.get(`/v1/analysis/${demo.body.job_id}`)).status).toBe(401);
});

function pressButton(url: string, action: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `action=${action}`,
    redirect: 'manual',
  });
}
