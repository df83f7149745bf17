import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../local-server.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/** The service is killed with -9 in the middle of twenty jobs, and started again: what it promised, it keeps. */
const JOBS = 20;
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-crash-'));
let service: ServiceProcess | null = null;
afterAll(async () => {
  service?.kill('SIGTERM');
  await service?.ended;
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startServiceProcess('all', { DATA_DIR: dataDir, ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' });

type Account = { api_key: string; webhook_signing_secret: string };
type Job = { status: string };

async function register(url: string): Promise<Account> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'crash@example.com' }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Account;
}

async function upload(url: string, account: Account, webhookUrl: string, toneHz: number): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(makeWav({ seconds: 4, toneHz }))]), `${toneHz}.wav`);
  form.set('webhook_url', webhookUrl);
  const headers = { 'x-api-key': account.api_key };
  const response = await fetch(`${url}/v1/analyze/upload`, { method: 'POST', body: form, headers });
  expect(response.status).toBe(202);
  return ((await response.json()) as { job_id: string }).job_id;
}

async function get<T>(url: string, account: Account, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': account.api_key } });
  return (await response.json()) as T;
}

async function countEnded(url: string, account: Account, ids: string[]): Promise<number> {
  const jobs = await Promise.all(ids.map((id) => get<Job>(url, account, `/v1/analysis/${id}`)));
  expect(jobs.filter(({ status }) => status === 'failed')).toEqual([]);
  return jobs.filter(({ status }) => status === 'completed').length;
}

it('completes all twenty, charges twenty, and tells of each in one body', async () => {
  const receiver = await startReceiver();
  service = await start();
  const { url } = service;
  const account = await register(url);
  const ids: string[] = [];
  for (let job = 0; job < JOBS; job += 1)
    ids.push(await upload(url, account, `${receiver.url}/hook`, 200 + job));
  await until(async () => (await countEnded(url, account, ids)) >= 3, 'some are done', 60_000);
  service.kill('SIGKILL');
  await service.ended;
  const doneBefore = receiver.calls.length;
  expect(doneBefore).toBeLessThan(JOBS);

  service = await start();
  const again = service.url;
  await until(async () => (await countEnded(again, account, ids)) === JOBS, 'all are done', 120_000);
  const bodies = () => new Map(receiver.calls.map((call) => [String(call.headers['webhook-id']), call.body]));
  await until(() => bodies().size === JOBS, 'all webhooks have arrived', 30_000);

  const usage = await get<{ count: number }>(again, account, '/v1/usage');
  expect(usage.count).toBe(JOBS);
  const verifier = new Webhook(account.webhook_signing_secret);
  const told = new Set<string>();
  for (const { headers, body } of receiver.calls) {
    const event = verifier.verify(body, headers as Record<string, string>) as {
      type: string;
      data: { job_id: string };
    };
    expect(event.type).toBe('analysis.completed');
    expect(body).toBe(bodies().get(String(headers['webhook-id'])));
    told.add(event.data.job_id);
  }
  expect([...told].sort()).toEqual([...ids].sort());
}, 240_000);
