import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as contract from '@earshot/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { SERVER_ROOT } from '../platform/server-root.ts';
import { keyHeaders, startAnalysisService, startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm, createTestClient, type TestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { startLocalServer, startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { readDefaultSecret } from '../webhooks/secrets.ts';
import { type GroupsRow, groupsOf } from './stored-groups.ts';

/** Whole analyses through real HTTP, storage, decoder, engine and webhook, with known results. */

type Accepted = z.infer<typeof contract.AcceptedAnalysis>;
type KeyAnalysis = z.infer<typeof contract.KeyAnalysis>;
type KeyAnalysisFull = z.infer<typeof contract.KeyAnalysisFull>;

const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
const worker = await startAnalysisWorker(ctx);
afterAll(async () => {
  await worker.stop(0);
  await service.stop();
});

async function newCustomer() {
  const member = await createTestMember(ctx);
  return { member, client: createTestClient(service.url, await keyHeaders(member)) };
}

const upload = (client: TestClient, bytes: Uint8Array, options: Parameters<typeof audioForm>[1] = {}) =>
  client.send<Accepted>('/v1/analyze/upload', { method: 'POST', body: audioForm(bytes, options) });

async function waitForEnd(client: TestClient, id: string): Promise<KeyAnalysis> {
  const { body } = await client.get<KeyAnalysis>(`/v1/analysis/${id}`, { prefer: 'wait=30' });
  return body;
}

/** The responses made from a stored result, with their entity tags. */
async function readAnswers(client: TestClient, id: string): Promise<unknown[]> {
  const paths = [`analysis/${id}`, `analysis/${id}/full`, `analyses/${id}/result`];
  const answers = await Promise.all(paths.map((path) => client.get(`/v1/${path}`)));
  return answers.map(({ body, headers }) => [headers.get('etag'), JSON.stringify(body)]);
}

/** Stores the result as before groups were packed. */
async function unpackRow(id: string): Promise<void> {
  const row = await db.one<GroupsRow>(
    'select groups, packed_groups from analysis_results where analysis_id = $1',
    [id],
  );
  await db.query(
    'update analysis_results set groups = $2, packed_groups = null, sections = null where analysis_id = $1',
    [id, JSON.stringify(groupsOf(row))],
  );
}

describe('an upload', () => {
  it('becomes a result, a settled credit and a signed webhook', async () => {
    const receiver = await startReceiver();
    const { member, client } = await newCustomer();
    const bytes = makeWav({ seconds: 3 });
    const accepted = await upload(client, bytes, {
      fields: { webhook_url: `${receiver.url}/hook` },
    });
    expect(accepted).toMatchObject({
      status: 202,
      body: { job_id: expect.stringMatching(/^job_/), status: 'processing' },
    });
    const id = accepted.body.job_id;

    const job = await waitForEnd(client, id);
    expect(job).toMatchObject({ job_id: id, status: 'completed', error: null });
    expect(job.result?.duration_seconds).toBe(3);

    const full = await client.get<KeyAnalysisFull>(`/v1/analysis/${id}/full`);
    expect(full.status).toBe(200);
    expect(full.body.sections).toEqual(full.body.result?.structure?.sections ?? []);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(full.body.result?.file).toMatchObject({
      sample_rate_hz: 22_050,
      channels: 1,
      bit_depth: 16,
      sha256,
    });

    await until(() => receiver.calls.length > 0, 'the webhook arrives');
    const [call] = receiver.calls;
    const secret = await db.transaction((tx) => readDefaultSecret(ctx, tx, member.actor.workspaceId));
    const payload = new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>);
    expect(payload).toMatchObject({ type: 'analysis.completed', data: { job_id: id, status: 'completed' } });

    type Attempts = z.infer<typeof contract.WebhookAttempts>;
    const readAttempts = () => client.get<Attempts>(`/v1/analysis/${id}/webhooks`);
    await until(async () => (await readAttempts()).body.attempts.length === 1, 'the attempt is recorded');
    const [attempt] = (await readAttempts()).body.attempts;
    expect(attempt).toMatchObject({ attempt: 1, status: 'delivered', status_code: 200, error: null });

    const usage = await client.get('/v1/usage');
    expect(usage.body).toMatchObject({ tier: 'free', limit: 100, count: 1, remaining: 99, meter: null });
    let types: string[] = [];
    await until(async () => {
      const { body } = await client.get<{ event_type: string }[]>(`/v1/analyses/${id}/events`);
      types = body.map((event) => event.event_type).filter((type) => type !== 'analysis.progress');
      return types.includes('source.deleted');
    }, 'the audio is deleted');
    expect(types.slice(0, 5)).toEqual([
      'job.queued',
      'job.started',
      'audio.decoded',
      'job.completed',
      'webhook.queued',
    ]);
    // Deletion and delivery are concurrent.
    expect(types.slice(5).sort()).toEqual(['source.deleted', 'webhook.delivered']);
  });

  it('of the sample song has the annotated duration, tempo, key and form', async () => {
    const { client } = await newCustomer();
    const folder = join(SERVER_ROOT, '..', 'examples', 'sample-song');
    const truth = JSON.parse(await readFile(join(folder, 'truth.json'), 'utf8'));
    const bytes = await readFile(join(folder, truth.audio));
    const accepted = await upload(client, bytes, { fileName: truth.audio });
    const job = await waitForEnd(client, accepted.body.job_id);
    expect(job.status).toBe('completed');
    // MP3 encoders pad the ends by up to two MP3 frames of 26 ms.
    expect(Math.abs((job.result?.duration_seconds ?? 0) - truth.duration)).toBeLessThan(0.06);
    // Tempi that are easily confused differ by a quarter at least.
    expect(Math.abs((job.result?.bpm ?? 0) / truth.tempo_bpm - 1)).toBeLessThan(0.01);
    expect(`${job.result?.key}:${job.result?.scale?.slice(0, 3)}`).toBe(truth.key);
    // The front page shows this song, so its form must be right. Boundaries lie on bar lines: half a beat of tolerance cannot
    // hide one on the wrong beat.
    expect(job.sections.map((section) => section.label)).toEqual(
      truth.sections.map((section: { label: string }) => section.label),
    );
    for (const [index, section] of job.sections.entries()) {
      expect(Object.keys(section).sort()).toEqual(['end_seconds', 'label', 'start_seconds']);
      expect(Math.abs(section.start_seconds - truth.sections[index].start)).toBeLessThan(0.27);
    }

    const answers = () => readAnswers(client, job.job_id);
    const packed = await answers();
    await unpackRow(job.job_id);
    expect(await answers()).toEqual(packed);
  });

  it('leaves no audio behind', async () => {
    const { client } = await newCustomer();
    const accepted = await upload(client, makeWav({ seconds: 1 }));
    await waitForEnd(client, accepted.body.job_id);
    await until(async () => {
      const row = await db.one<{ status: string; key: string }>(
        `select o.status, o.key from storage_objects o join analyses a on a.storage_object_id = o.id where a.id = $1`,
        [accepted.body.job_id],
      );
      return row.status === 'deleted' && (await ctx.storage.stat(row.key)) === null;
    }, 'the source is deleted');
  });
});

describe('a URL', () => {
  it('is downloaded and analysed', async () => {
    const origin = await startLocalServer((_request, response) => response.end(makeWav({ seconds: 2 })));
    const { client } = await newCustomer();
    const accepted = await client.post<Accepted>('/v1/analyze/url', { url: `${origin.url}/song.wav` });
    expect(accepted.status).toBe(202);
    const job = await waitForEnd(client, accepted.body.job_id);
    expect(job.status).toBe('completed');
    expect(job.result?.duration_seconds).toBe(2);
  });

  it.each([
    [
      'a page instead of audio',
      '<!doctype html><html><body>Sign in</body></html>',
      200,
      'unsupported_format',
    ],
    ['a missing file', '', 404, 'download_failed'],
    ['a forbidden file', '', 403, 'download_forbidden'],
  ])('that leads to %s fails for good, and costs nothing', async (_, text, status, code) => {
    const origin = await startLocalServer((_request, response) => response.writeHead(status).end(text));
    const { client } = await newCustomer();
    const accepted = await client.post<Accepted>('/v1/analyze/url', { url: `${origin.url}/song.mp3` });
    const job = await waitForEnd(client, accepted.body.job_id);
    expect(job).toMatchObject({ status: 'failed', result: null, error_code: code, retryable: false });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0, remaining: 100 });
  });

  it('that answers 503 is retried', async () => {
    let requestCount = 0;
    const origin = await startLocalServer((_request, response) => {
      requestCount += 1;
      if (requestCount === 1) response.writeHead(503).end();
      else response.end(makeWav({ seconds: 1 }));
    });
    const { client } = await newCustomer();
    const accepted = await client.post<Accepted>('/v1/analyze/url', { url: `${origin.url}/song.wav` });
    const job = await waitForEnd(client, accepted.body.job_id);
    expect(job.status).toBe('completed');
    const events = await client.get<{ event_type: string }[]>(`/v1/analyses/${accepted.body.job_id}/events`);
    expect(events.body.map((event) => event.event_type)).toContain('job.retrying');
  });
});
