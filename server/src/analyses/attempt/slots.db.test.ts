import { afterAll, expect, it } from 'vitest';
import { jobDefinitions } from '../../job-handlers.ts';
import { startWorker } from '../../jobs/worker.ts';
import { keyHeaders, startAnalysisService } from '../../test/analysis-service.ts';
import { audioForm, createTestClient } from '../../test/client.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { startLocalServer } from '../../test/local-server.ts';
import { createTestMember } from '../../test/member.ts';
import { until } from '../../test/until.ts';
import { makeWav } from '../../test/wav.ts';

/** How far one tenant can delay another: a worker with the slots of production. */
const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
const worker = await startWorker(ctx, jobDefinitions);
afterAll(async () => {
  await worker.stop(0);
  await service.stop();
});
const clientOf = async () => createTestClient(service.url, await keyHeaders(await createTestMember(ctx)));

const running = async (kind: string) =>
  (await db.query(`select 1 from jobs where kind = $1 and state = 'running'`, [kind])).length;

/** Downloads from it begin and never end. */
async function startStalledServer() {
  const received = { requestCount: 0 };
  const { url } = await startLocalServer((_request, response) => {
    received.requestCount += 1;
    response.writeHead(200, { 'content-length': '10000000' });
    response.write(makeWav({ seconds: 1 }).subarray(0, 1000));
  });
  return { url, received };
}

/** As in job-handlers.ts. */
const DOWNLOADS_PER_TENANT_MAX = 4;

it('serves one tenant while the downloads of another are slow', async () => {
  const slow = await startStalledServer();
  const dripping = await clientOf();
  for (let number = 0; number < DOWNLOADS_PER_TENANT_MAX + 2; number += 1)
    await dripping.post('/v1/analyze/url', { url: `${slow.url}/${number}.wav` });
  await until(
    () => slow.received.requestCount >= DOWNLOADS_PER_TENANT_MAX,
    'one tenant downloads as much as it may',
  );

  const other = await clientOf();
  const body = audioForm(makeWav({ seconds: 1 }));
  const accepted = await other.send<{ job_id: string }>('/v1/analyze/upload', { method: 'POST', body });
  const quick = await startLocalServer((_request, response) => response.end(makeWav({ seconds: 1 })));
  const second = await other.post<{ job_id: string }>('/v1/analyze/url', { url: `${quick.url}/a.wav` });
  for (const { job_id } of [accepted.body, second.body])
    await until(async () => {
      const { body } = await other.get(`/v1/analysis/${job_id}`, { prefer: 'wait=5' });
      return body.status === 'completed';
    }, 'the other tenant is served');
  expect(slow.received.requestCount).toBe(DOWNLOADS_PER_TENANT_MAX);
  expect([await running('analysis.download'), await running('analysis.run')]).toEqual([
    DOWNLOADS_PER_TENANT_MAX,
    0,
  ]);
});

it('downloads for demos in the same slots, so that they occupy no slot of an analysis', async () => {
  const slow = await startStalledServer();
  const visitor = createTestClient(service.url);
  for (let number = 0; number < 3; number += 1)
    await visitor.post('/v1/demo/analyze/url', { url: `${slow.url}/${number}.wav` });
  await until(() => slow.received.requestCount === 3, 'the URLs of the demos are being downloaded');
  expect(await running('analysis.run')).toBe(0);
});
