import { afterAll, expect, it } from 'vitest';
import { startAnalysisWorker } from '../analysis-service.ts';
import { audioForm } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { buildTestApp, freshEmail, type TestAnswer } from '../test-app.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/**
 * A client written only against the interface: it sends its key in both headers, knows no status but `processing`, `completed` and
 * `failed`, and reads `error` as text.
 */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const test = await buildTestApp(db);
const worker = await startAnalysisWorker(test.ctx);
afterAll(() => worker.stop(0));

const registered = await test.call('POST', '/v1/auth/register', { body: { email: freshEmail() } });
const key: string = registered.body.api_key;
const headers = { 'x-api-key': key, authorization: `Bearer ${key}` };
const post = (url: string, body?: unknown) => test.call('POST', url, { headers, body });
const get = (url: string) => test.call('GET', url, { headers });

/** Waits for one of the two final statuses that the client knows; fails on any unknown status. */
async function wait(id: string): Promise<TestAnswer['body']> {
  let last: TestAnswer['body'] = null;
  await until(async () => {
    const { status, body } = await get(`/v1/analysis/${id}`);
    last = body;
    expect(['processing', 'completed', 'failed']).toContain(body.status);
    expect(status).toBe(body.status === 'processing' ? 202 : 200);
    return body.status !== 'processing';
  }, 'the job has ended');
  return last;
}

it('submits, polls, batches, cancels, reads usage and errors as the interface describes them', async () => {
  const before = (await get('/v1/usage')).body;
  const done = await wait((await post('/v1/analyze/upload', audioForm(makeWav({ seconds: 2 })))).body.job_id);
  expect(done).toMatchObject({ status: 'completed', error: null, result: { duration_seconds: 2 } });

  const url = 'http://127.0.0.1:9/nothing-there.wav';
  const batch = await post('/v1/batch', { urls: [url, url] });
  expect([batch.status, batch.body.jobs.length]).toEqual([202, 2]);
  for (const { job_id } of batch.body.jobs) {
    // The client sees `failed`, whether its cancellation or the failing download comes first.
    await post(`/v1/analyses/${job_id}/cancel`);
    const ended = await wait(job_id);
    expect([ended.status, typeof ended.error, ended.result]).toEqual(['failed', 'string', null]);
  }
  const after = (await get('/v1/usage')).body;
  expect([after.count - before.count, after.month]).toEqual([1, after.period]);
  expect(after.remaining).toBe(after.limit - after.count);

  const wrong = await post('/v1/analyze/url', { url: 'nonsense' });
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'url']]);
  expect((await get('/v1/analysis/job_nobody')).body).toMatchObject({ code: 'not_found' });
  expect((await test.call('GET', '/v1/usage', {})).status).toBe(401);
});
