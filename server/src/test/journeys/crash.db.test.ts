import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as contract from '@earshot/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { audioForm, createTestClient, type TestClient } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startReceiver } from '../local-server.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/** kill -9 in the middle of twenty jobs: none is lost or charged twice, and repeated webhook calls of one event are identical. */

const JOB_COUNT = 20;
/** A busy machine takes minutes for all jobs. */
const WAIT_MS = 150_000;
const { db, url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-crash-'));
let program: ServiceProcess | null = null;
afterAll(async () => {
  program?.kill('SIGKILL');
  await program?.ended;
  await rm(dataDir, { recursive: true, force: true });
});

const secretKey = randomBytes(32).toString('hex');

async function startService(): Promise<string> {
  program = await startServiceProcess('all', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    STOP_GRACE_SECONDS: '0',
  });
  return program.url;
}

const countEnded = async () =>
  (
    await db.one<{ count: number }>(
      'select count(*)::int as count from analyses where completed_at is not null',
    )
  ).count;

const uploadAll = (client: TestClient, webhookUrl: string) =>
  Promise.all(
    Array.from({ length: JOB_COUNT }, async (_, index) => {
      const wav = makeWav({ seconds: 1, toneHz: 220 + index });
      const body = audioForm(wav, { fields: { webhook_url: webhookUrl } });
      const answer = await client.send<z.infer<typeof contract.AcceptedAnalysis>>('/v1/analyze/upload', {
        method: 'POST',
        body,
      });
      expect(answer.status).toBe(202);
      return answer.body.job_id;
    }),
  );

it('completes all twenty after a restart, counts each once and calls the webhook for each', {
  timeout: 2 * WAIT_MS,
}, async () => {
  const receiver = await startReceiver();
  const firstUrl = await startService();
  const registered = await createTestClient(firstUrl).post<{
    api_key: string;
    webhook_signing_secret: string;
  }>('/v1/auth/register', { email: 'crash@example.com' });
  const credentials = { 'x-api-key': registered.body.api_key };
  const ids = await uploadAll(createTestClient(firstUrl, credentials), receiver.url);

  // The kill comes while others run and wait.
  await until(async () => (await countEnded()) >= 3, 'three have ended', WAIT_MS);
  program?.kill('SIGKILL');
  await program?.ended;
  expect(await countEnded()).toBeLessThan(JOB_COUNT);

  const client = createTestClient(await startService(), credentials);
  await until(async () => (await countEnded()) === JOB_COUNT, 'all have ended', WAIT_MS);
  for (const id of ids) {
    expect((await client.get(`/v1/analysis/${id}`)).body).toMatchObject({ status: 'completed' });
  }
  expect((await client.get('/v1/usage')).body).toMatchObject({ count: JOB_COUNT });

  const calledJobs = () => new Set(receiver.calls.map((call) => JSON.parse(call.body).data.job_id as string));
  await until(() => calledJobs().size === JOB_COUNT, 'the webhook was called for every job', WAIT_MS);
  const bodies = new Map<string, Set<string>>();
  const webhook = new Webhook(registered.body.webhook_signing_secret);
  for (const { headers, body } of receiver.calls) {
    webhook.verify(body, headers as Record<string, string>);
    const id = String(headers['webhook-id']);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  expect(bodies.size).toBe(JOB_COUNT);
  expect([...bodies.values()].every((versions) => versions.size === 1)).toBe(true);
});
