import type * as contract from '@earshot/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { startAnalysisService, startAnalysisWorker } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { startLocalServer } from '../test/local-server.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { consumeDemoLimits } from './demo.ts';

type Accepted = z.infer<typeof contract.AcceptedDemo>;
type Polled = z.infer<typeof contract.KeyAnalysisFull>;

const { db } = await createTestDatabase();
let aheadMs = 0;
const ctx = await buildTestContext(db, { clock: () => new Date(Date.now() + aheadMs) });
const service = await startAnalysisService(ctx);
const worker = await startAnalysisWorker(ctx);
afterAll(async () => {
  await worker.stop(0);
  await service.stop();
});
const client = createTestClient(service.url);

async function poll(url: string) {
  const response = await fetch(url);
  const body = (await response.json()) as Polled;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

describe('the demo', () => {
  it('analyses a URL without an account; the result is readable at the poll address alone, for an hour', async () => {
    let sendSong = () => {};
    const polled = new Promise<void>((resolve) => {
      sendSong = resolve;
    });
    const origin = await startLocalServer((_request, response) => {
      void polled.then(() => response.end(makeWav({ seconds: 1 })));
    });
    const accepted = await client.post<Accepted>('/v1/demo/analyze/url', { url: `${origin.url}/song.wav` });
    expect(accepted).toMatchObject({ status: 202, body: { status: 'processing' } });
    const { poll_url, job_id } = accepted.body;
    expect(await poll(poll_url)).toMatchObject({
      status: 202,
      retryAfter: '2',
      body: { status: 'processing' },
    });
    // All demos are one tenant, so that many visitors do not delay customers.
    expect(await db.query('select kind, tenant from jobs')).toEqual([
      { kind: 'analysis.download', tenant: 'demo' },
    ]);
    expect(
      await db.query(
        'select file_name, event_type from analyses a join analysis_events on analysis_id = a.id',
      ),
    ).toContainEqual({ file_name: 'song.wav', event_type: 'job.queued' });
    sendSong();
    await until(async () => (await poll(poll_url)).status === 200, 'the demo is finished');
    expect((await poll(poll_url)).body).toMatchObject({
      job_id,
      status: 'completed',
      sections: expect.any(Array),
    });

    const url = new URL(poll_url);
    for (const token of ['', 'x', url.searchParams.get('token')!.slice(1)]) {
      url.searchParams.set('token', token);
      expect((await poll(url.href)).status).toBe(404);
    }
    url.search = '';
    expect((await poll(url.href)).status).toBe(404);
    aheadMs = 59 * 60_000;
    expect((await poll(poll_url)).status).toBe(200);
    aheadMs = 60 * 60_000 + 1000;
    expect((await poll(poll_url)).status).toBe(404);
    aheadMs = 0;
  });

  it('refuses audio longer than ten minutes', async () => {
    const long = makeWav({ seconds: 601, sampleRateHz: 8_000 });
    const origin = await startLocalServer((_request, response) => response.end(long));
    const accepted = await client.post<Accepted>('/v1/demo/analyze/url', { url: `${origin.url}/long.wav` });
    await until(
      async () => (await poll(accepted.body.poll_url)).status === 200,
      'the demo is finished',
      30_000,
    );
    expect((await poll(accepted.body.poll_url)).body).toMatchObject({
      status: 'failed',
      error_code: 'too_long',
    });
  });

  it('refuses a file over 20 MB by its declared length', async () => {
    const origin = await startLocalServer((_request, response) => {
      response.writeHead(200, { 'content-length': '20000001' });
      response.write('RIFF');
    });
    const accepted = await client.post<Accepted>('/v1/demo/analyze/url', { url: `${origin.url}/big.wav` });
    await until(async () => (await poll(accepted.body.poll_url)).status === 200, 'the demo is finished');
    expect((await poll(accepted.body.poll_url)).body).toMatchObject({
      status: 'failed',
      error_code: 'too_large',
    });
  });

  it('refuses a private address', async () => {
    const answer = await client.post('/v1/demo/analyze/url', { url: 'http://10.0.0.1/song.mp3' });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'url_not_allowed', loc: ['body', 'url'] }] },
    });
  });

  it('is rate limited per client', async () => {
    await db.query('delete from rate_limit_counters');
    const answers = [];
    for (let count = 0; count < 6; count++)
      answers.push(await client.post('/v1/demo/analyze/url', { url: 'http://10.0.0.1/' }));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429]);
    const last = answers.at(-1)!;
    expect(last).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(last.headers.get('ratelimit-policy')).toBe('"demo";q=5;w=3600');
  });

  it('is limited to 1,000 a day for all clients together', async () => {
    const visit = (ip: string) => consumeDemoLimits({ ...ctx, ip });
    await visit('198.51.100.1');
    await db.query(`update rate_limit_counters set count = 999 where bucket = 'demo-in-all/all'`);
    await visit('198.51.100.2');
    await expect(visit('198.51.100.3')).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'The demo is busy today. Register for a free key.',
      limit: { count: 1000, windowSeconds: 86_400 },
    });
  });
});
