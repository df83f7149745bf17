import { afterAll } from 'vitest';
import { AppError } from '../../errors.ts';
import { startAnalysisWorker } from '../analysis-service.ts';
import { audioForm } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startReceiver } from '../local-server.ts';
import { buildTestApp, freshEmail, register, signIn, type TestAnswer } from '../test-app.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/** The services of the contract walk: one with a worker, three with other settings, their clients, and a completed analysis. */

export const { db } = await createTestDatabase({ connectionsMax: 20 });
export const test = await buildTestApp(db);
const worker = await startAnalysisWorker(test.ctx);
afterAll(() => worker.stop(0));

const createCustomer = async () => {
  throw new AppError('payment_provider_failed', 'planted');
};
export const unpaid = await buildTestApp(db, { payments: { ...test.deps.payments, createCustomer } });
export const narrow = await buildTestApp(db, {}, { REGISTRATIONS_PER_HOUR: '1', REQUESTS_PER_MINUTE: '2' });
export const strict = await buildTestApp(db, {}, { REQUIRE_EMAIL_VERIFICATION: 'true' });

const receiver = await startReceiver(() => ({ status: 200, body: 'no audio at all' }));
export const SONG = `${receiver.url}/song.wav`;
export const owner = await signIn(test);
export const bearer = owner.headers;
export const client = await register(test);
export const keyed = client.headers;

type Headers = Record<string, string>;
export const post = (url: string, headers: Headers, body?: unknown) =>
  test.call('POST', url, { headers, body });
export const get = (url: string, headers: Headers = {}) => test.call('GET', url, { headers });
export const remove = (url: string, headers: Headers) => test.call('DELETE', url, { headers });

export const upload = (bytes: Uint8Array, headers: Headers = keyed, fields: Headers = {}) =>
  test.call('POST', '/v1/analyze/upload', { headers, body: audioForm(bytes, { fields }) });

/** The job after it has ended. */
export async function waitForEnd(id: string, headers: Headers): Promise<TestAnswer> {
  const read = () => get(`/v1/analyses/${id}`, headers);
  await until(
    async () => !['queued', 'processing'].includes((await read()).body.status),
    'the job has ended',
  );
  return read();
}

/** Submits a job that stays queued, again if the worker was faster; returns its id. */
export async function queueJob(headers: Headers): Promise<string> {
  for (;;) {
    const { body } = await post('/v1/analyses', headers, { source_url: SONG });
    const parked = await db.query(
      `update jobs set state = 'waiting', run_at = now() + interval '1 day'
       where payload->>'analysisId' = $1 and state = 'queued' returning id`,
      [body.id],
    );
    if (parked.length === 1) return body.id;
  }
}

async function join(role: string): Promise<Headers> {
  const email = freshEmail(role);
  await post('/v1/account/team/invitations', bearer, { email, role });
  const { headers } = await signIn(test, email);
  await post(`/v1/account/workspaces/${owner.workspaceId}/session`, headers);
  return headers;
}

export async function keyWith(...scopes: string[]): Promise<Headers> {
  const { body } = await post('/v1/api-keys', bearer, { name: 'walk', scopes });
  return { 'x-api-key': body.plaintext_key };
}

export const doneId = (await waitForEnd((await upload(makeWav({ seconds: 2 }))).body.job_id, keyed)).body
  .id as string;
export const viewer = await join('viewer');
export const member = await join('member');
export const stranger = await register(test);
