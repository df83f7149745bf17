import type * as contract from '@earshot/contract';
import { EXPORT_FORMATS } from '@earshot/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyHeaders, startAnalysisService, startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm, createTestClient, type TestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { startReceiver } from '../test/local-server.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';

type Job = z.infer<typeof contract.AnalysisJob>;
type Result = z.infer<typeof contract.AnalysisResult>;
type Event = z.infer<typeof contract.AnalysisEvent>;
type Slot = z.infer<typeof contract.StorageObject>;
type Delivery = z.infer<typeof contract.JobWebhookDelivery>;

const { db } = await createTestDatabase({ connectionsMax: 30 });
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());

const SONG_URL = 'http://127.0.0.1:9/song.wav';
const RANDOM_ID = 'job_01k0f8yq3m7t9w2x4z6b8c0d1e';

async function newCustomer() {
  const member = await createTestMember(ctx);
  return { member, client: createTestClient(service.url, await keyHeaders(member)) };
}

const submit = (
  client: TestClient,
  body: object = { source_url: SONG_URL },
  headers: Record<string, string> = {},
) => client.post<Job>('/v1/analyses', body, headers);

/** One analysis that really ran, for everything that reads results. */
const completed = await (async () => {
  const worker = await startAnalysisWorker(ctx);
  const customer = await newCustomer();
  const form = audioForm(makeWav({ seconds: 2, channels: 2 }), { fileName: 'Für Elise.wav' });
  const { body } = await customer.client.send<{ job_id: string }>('/v1/analyze/upload', {
    method: 'POST',
    body: form,
  });
  await customer.client.get(`/v1/analyses/${body.job_id}`, { prefer: 'wait=30' });
  await until(async () => {
    const events = await customer.client.get<Event[]>(`/v1/analyses/${body.job_id}/events`);
    return events.body.some((event) => event.event_type === 'source.deleted');
  }, 'the analysis is over and done');
  await worker.stop(0);
  return { ...customer, id: body.job_id };
})();

describe('POST /v1/analyses', () => {
  it('answers 202 with the job and all that was asked for', async () => {
    const { client } = await newCustomer();
    const answer = await submit(client, {
      source_url: SONG_URL,
      features: ['rhythm', 'tonal'],
      hints: { bpm: 120, key: 'Am' },
      metadata: { album: 'one' },
      webhook_url: 'http://127.0.0.1:9/hook',
    });
    expect(answer).toMatchObject({
      status: 202,
      body: {
        status: 'queued',
        source_url: SONG_URL,
        idempotent_replay: false,
        features: ['rhythm', 'tonal'],
        metadata: { album: 'one' },
        webhook_url: 'http://127.0.0.1:9/hook',
        progress: 0,
        error: null,
      },
    });
    const stored = await db.one<{ hints: object }>('select hints from analyses where id = $1', [
      answer.body.id,
    ]);
    expect(stored.hints).toEqual({ bpm: 120, key: 'Am' });
  });

  it.each([
    ['neither source', {}, 'value_error'],
    ['both sources', { source_url: SONG_URL, storage_object_id: 'obj_1' }, 'value_error'],
    ['an unknown field', { source_url: SONG_URL, colour: 'red' }, 'extra_forbidden'],
    ['a wrong type', { source_url: 7 }, 'url_type'],
    ['an unknown feature', { source_url: SONG_URL, features: ['smell'] }, 'enum'],
  ])('answers 422 to %s', async (_, body, type) => {
    const { client } = await newCustomer();
    expect(await submit(client, body)).toMatchObject({ status: 422, body: { detail: [{ type }] } });
  });

  it.each([
    'http://169.254.169.254/x.mp3',
    'http://10.0.0.1/x.mp3',
    'http://[::1]/x.mp3',
    'http://user:pw@example.com/x.mp3',
  ])('answers 422 url_not_allowed to %s and charges nothing', async (source_url) => {
    const { client } = await newCustomer();
    expect(await submit(client, { source_url })).toMatchObject({
      status: 422,
      body: { code: 'url_not_allowed' },
    });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
  });

  it('names the provider that is not configured', async () => {
    const { client } = await newCustomer();
    const answer = await submit(client, { source_url: SONG_URL, enrich: ['acoustid'] });
    expect(answer).toMatchObject({ status: 422, body: { code: 'provider_not_configured' } });
  });

  it('refuses a read-only key', async () => {
    const { member } = await newCustomer();
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    expect(await submit(reader)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});

describe('Idempotency-Key', () => {
  it('gives the first answer again and says so', async () => {
    const { client } = await newCustomer();
    const headers = { 'idempotency-key': '"submit-0001"' };
    const first = await submit(client, { source_url: SONG_URL }, headers);
    const again = await submit(client, { source_url: SONG_URL }, { 'idempotency-key': 'submit-0001' });
    expect(first.body.idempotent_replay).toBe(false);
    expect(again).toMatchObject({ status: 202, body: { ...first.body, idempotent_replay: true } });
    const other = await submit(client, { source_url: `${SONG_URL}?other` }, headers);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
  });

  it('makes one job of a hundred parallel requests', async () => {
    const { client } = await newCustomer();
    const headers = { 'idempotency-key': 'submit-0002' };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => submit(client, { source_url: SONG_URL }, headers)),
    );
    const accepted = answers.filter((answer) => answer.status === 202);
    expect(new Set(accepted.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.every((answer) => answer.status === 202 || answer.status === 409)).toBe(true);
    expect((await client.get<Job[]>('/v1/analyses')).body).toHaveLength(1);
    expect((await submit(client, { source_url: SONG_URL }, headers)).status).toBe(202);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
  });

  it('is also a field of POST /v1/account/analyses', async () => {
    const { client } = await newCustomer();
    const slot = await client.post<Slot>('/v1/storage-objects', {
      content_type: 'audio/wav',
      purpose: 'upload',
    });
    const bytes = new Uint8Array(makeWav({ seconds: 1 }));
    await fetch(slot.body.signed_url, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      body: bytes,
    });
    const body = { storage_object_id: slot.body.id, idempotency_key: 'account-0001' };
    const first = await client.post<Job>('/v1/account/analyses', body);
    const again = await client.post<Job>('/v1/account/analyses', body);
    expect([first.status, first.body.idempotent_replay]).toEqual([202, false]);
    expect([again.status, again.body.idempotent_replay, again.body.id]).toEqual([202, true, first.body.id]);
    expect((await client.get(`/v1/account/analyses/${first.body.id}`)).body).toMatchObject({
      status: 'queued',
    });
  });
});

describe('GET /v1/analyses', () => {
  it('pages newest first, by the Link header, and filters by status', async () => {
    const { client } = await newCustomer();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await submit(client)).body.id);
    const seen: string[] = [];
    let path: string | undefined = '/v1/analyses?limit=2';
    while (path !== undefined) {
      const page: { headers: Headers; body: Job[] } = await client.get<Job[]>(path);
      seen.push(...page.body.map((job) => job.id));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(ids);
    await client.post(`/v1/analyses/${ids[0]}/cancel`);
    const canceled = await client.get<Job[]>('/v1/analyses?status=canceled');
    expect(canceled.body.map((job) => job.id)).toEqual([ids[0]]);
    expect((await client.get('/v1/analyses?limit=101')).status).toBe(422);
  });

  it("shows nothing of another account's", async () => {
    const [mine, theirs] = [await newCustomer(), await newCustomer()];
    await submit(theirs.client);
    expect((await mine.client.get('/v1/analyses')).body).toEqual([]);
  });
});

describe('another account', () => {
  it.each([
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/result'],
    ['GET', '/exports/csv'],
    ['GET', '/artifacts/report.html'],
    ['POST', '/cancel'],
    ['POST', '/webhook-deliveries'],
    ['DELETE', ''],
  ])('%s …%s sees not-found, as for a random id', async (method, path) => {
    const { client } = await newCustomer();
    const foreign = await client.send(`/v1/analyses/${completed.id}${path}`, { method });
    const random = await client.send(`/v1/analyses/${RANDOM_ID}${path}`, { method });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...random.body, request_id: '' });
  });
});

describe('GET …/result', () => {
  it('is 202 with nothing in it while the job waits', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answer = await client.get<Result>(`/v1/analyses/${body.id}/result`);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.body).toEqual({
      job_id: body.id,
      status: 'queued',
      result: null,
      report_artifact: null,
      error: null,
    });
  });

  it('is the whole result with its report afterwards', async () => {
    const answer = await completed.client.get<Result>(`/v1/analyses/${completed.id}/result`);
    expect(answer.status).toBe(200);
    expect(answer.body.result).toMatchObject({ schema_version: '1', duration_seconds: expect.closeTo(2, 3) });
    expect(answer.body.result?.provenance).toMatchObject({
      schema_version: '1',
      options: { features: null },
    });
    expect(answer.body.report_artifact?.id).toBe(completed.id.replace('job_', 'art_'));
    const { formats } = answer.body.report_artifact!;
    expect(Object.keys(formats)).toEqual(['html', 'pdf', 'json']);
    for (const [format, url] of Object.entries(formats)) {
      const file = await fetch(url, { headers: await keyHeaders(completed.member) });
      expect([format, file.status]).toEqual([format, 200]);
      const start = Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 15);
      expect(start).toMatch({ html: /^<!doctype html>/, pdf: /^%PDF-/, json: /^\{"job_id"/ }[format]!);
    }
  });

  it('has its pictures, and no audio that was not kept', async () => {
    const headers = await keyHeaders(completed.member);
    for (const name of ['spectrogram.png', 'chromagram.png']) {
      const picture = await fetch(`${service.url}/v1/analyses/${completed.id}/artifacts/${name}`, {
        headers,
      });
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      const start = Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4);
      expect(start).toBe('PNG');
    }
    for (const name of ['source', 'passwd', '..%2Fsource']) {
      const answer = await completed.client.get(`/v1/analyses/${completed.id}/artifacts/${name}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('is the same on the account path', async () => {
    const account = await completed.client.get<Result>(`/v1/account/analyses/${completed.id}/result`);
    const plain = await completed.client.get<Result>(`/v1/analyses/${completed.id}/result`);
    expect(account.body).toEqual(plain.body);
  });
});

describe('GET …/exports/{format}', () => {
  it.each(EXPORT_FORMATS)('%s is a file to save, or says why it cannot be made', async (format) => {
    const response = await fetch(`${service.url}/v1/analyses/${completed.id}/exports/${format}`, {
      headers: await keyHeaders(completed.member),
    });
    // A tone of two seconds need not have a beat, and a format made of beats then says so.
    expect([200, 409]).toContain(response.status);
    if (response.status === 409) {
      expect(await response.json()).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/\w+/) });
      return;
    }
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="F_r Elise\.[a-z.-]+"; filename\*=UTF-8''F%C3%BCr%20Elise\./,
    );
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(0);
  });

  it('always has the ones that need no music', async () => {
    for (const format of ['csv', 'jams', 'spotify-audio-features']) {
      const response = await fetch(`${service.url}/v1/analyses/${completed.id}/exports/${format}`, {
        headers: await keyHeaders(completed.member),
      });
      expect(response.status).toBe(200);
    }
  });

  it('is 409 before the end and 422 for a format nobody knows', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const early = await client.get(`/v1/analyses/${body.id}/exports/csv`);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_finished' } });
    expect((await client.get(`/v1/analyses/${body.id}/exports/mp3`)).status).toBe(422);
  });
});

describe('POST …/cancel', () => {
  it('ends the job, returns the credit and cannot be done twice', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answer = await client.post<Job>(`/v1/analyses/${body.id}/cancel`);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'canceled', completed_at: expect.any(String) },
    });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
    const again = await client.post(`/v1/analyses/${body.id}/cancel`);
    expect(again).toMatchObject({ status: 409, body: { code: 'already_finished' } });
    const result = await client.get<Result>(`/v1/analyses/${body.id}/result`);
    expect(result).toMatchObject({ status: 200, body: { status: 'canceled', result: null, error: null } });
  });

  it('of twenty at once succeeds once, with one refund', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/v1/analyses/${body.id}/cancel`)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refunds = await db.query(
      `select 1 from credit_ledger where analysis_id = $1 and entry = 'refund'`,
      [body.id],
    );
    expect(refunds).toHaveLength(1);
  });
});

describe('DELETE /v1/analyses/{id}', () => {
  it('takes the result, the events and the job with it', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client, { source_url: SONG_URL, metadata: { secret: 'marker-7f3a' } });
    expect(await client.send(`/v1/analyses/${body.id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect((await client.get(`/v1/analyses/${body.id}`)).status).toBe(404);
    expect((await client.get('/v1/analyses')).body).toEqual([]);
    const left = await db.query(
      `select 1 from analyses where id = $1 and (metadata::text like '%marker-7f3a%' or source_url = $2)`,
      [body.id, SONG_URL],
    );
    expect(left).toHaveLength(0);
    expect(await db.query('select 1 from analysis_events where analysis_id = $1', [body.id])).toHaveLength(0);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
  });
});

describe('Prefer: wait', () => {
  it('answers as soon as the job ends', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const waiting = client.get<Job>(`/v1/analyses/${body.id}`, { prefer: 'respond-async, wait=30' });
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const answer = await waiting;
    expect(answer.body.status).toBe('canceled');
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  it('answers with what there is when the time is over', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answer = await client.get<Job>(`/v1/analyses/${body.id}`, { prefer: 'wait=1' });
    expect(answer.body.status).toBe('queued');
  });
});

describe('GET …/events', () => {
  const readStream = async (id: string, headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/v1/analyses/${id}/events`, {
      headers: { accept: 'text/event-stream', ...headers },
    });
    const text = response.status === 204 ? '' : await response.text();
    const events = [...text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.+)\n\n/g)].map(
      ([, id, type, data]) => ({
        id: id!,
        type: type!,
        data: JSON.parse(data!) as Event,
      }),
    );
    return { status: response.status, type: response.headers.get('content-type'), events };
  };

  it('lists every event, oldest first', async () => {
    const { body } = await completed.client.get<Event[]>(`/v1/analyses/${completed.id}/events`);
    expect(body[0]).toMatchObject({ event_type: 'job.queued', id: expect.stringMatching(/^evt_/) });
    expect(body.map((event) => event.id)).toEqual(body.map((event) => event.id).toSorted());
  });

  it('streams the same events and ends with the job', async () => {
    const headers = await keyHeaders(completed.member);
    const { status, type, events } = await readStream(completed.id, headers);
    expect([status, type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events.map((event) => event.type)).toContain('analysis.progress');
    const list = await completed.client.get<Event[]>(`/v1/analyses/${completed.id}/events`);
    expect(events.map((event) => event.data)).toEqual(list.body.slice(0, events.length));
  });

  it('streams live what happens while it is open', async () => {
    const { client, member } = await newCustomer();
    const { body } = await submit(client);
    const stream = readStream(body.id, await keyHeaders(member));
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const { events } = await stream;
    expect(events.map((event) => event.type)).toEqual(['job.queued', 'job.canceled']);
  });

  it('resumes after Last-Event-ID, and is 204 after the end', async () => {
    const headers = await keyHeaders(completed.member);
    const { events } = await readStream(completed.id, headers);
    const middle = events[1]!;
    const rest = await readStream(completed.id, { ...headers, 'last-event-id': middle.id });
    expect(rest.events.map((event) => event.id)).toEqual(events.slice(2).map((event) => event.id));
    const end = events.find((event) => event.type === 'job.completed')!;
    expect((await readStream(completed.id, { ...headers, 'last-event-id': end.id })).status).toBe(204);
  });
});

describe('POST …/webhook-deliveries', () => {
  it('is 409 for an unfinished job, and when there is nobody to tell', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const early = await client.post(`/v1/analyses/${body.id}/webhook-deliveries`);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_finished' } });
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const nobody = await client.post(`/v1/analyses/${body.id}/webhook-deliveries`);
    expect(nobody).toMatchObject({ status: 409, body: { code: 'no_webhook_endpoint' } });
  });

  it('makes new deliveries, the newest endpoint first, and sends them on request', async () => {
    const receiver = await startReceiver();
    const { client } = await newCustomer();
    const { body } = await submit(client);
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const older = await client.post<{ id: string }>('/v1/webhook-endpoints', {
      url: `${receiver.url}/older`,
    });
    const newer = await client.post<{ id: string }>('/v1/webhook-endpoints', {
      url: `${receiver.url}/newer`,
    });
    expect([older.status, newer.status]).toEqual([201, 201]);
    const delivery = await client.post<Delivery>(`/v1/analyses/${body.id}/webhook-deliveries`);
    expect(delivery).toMatchObject({
      status: 201,
      body: {
        job_id: body.id,
        endpoint_id: newer.body.id,
        event_type: 'analysis.canceled',
        status: 'pending',
        attempt_count: 0,
        signature: expect.stringMatching(/^v1,/),
      },
    });
    expect(delivery.body.related_delivery_ids).toHaveLength(1);
    const sent = await client.post('/v1/webhook-deliveries/deliver');
    expect(sent).toMatchObject({ status: 200, body: { attempted: 2, delivered: 2, failed: 0, pending: 0 } });
    expect(receiver.calls.map((call) => call.path).sort()).toEqual(['/newer', '/older']);
    const list = await client.get<Delivery[]>('/v1/webhook-deliveries');
    expect(list.body.map((entry) => entry.status)).toEqual(['delivered', 'delivered']);
  });
});

describe('batch', () => {
  const urls = (count: number) => Array.from({ length: count }, (_, index) => `${SONG_URL}?${index}`);

  it.each(['/v1/batch', '/v1/analyze/batch'])('%s takes ten and not eleven', async (path) => {
    const { client } = await newCustomer();
    const ten = await client.post<{ jobs: { job_id: string; url: string }[] }>(path, { urls: urls(10) });
    expect(ten.status).toBe(202);
    expect(ten.body.jobs.map((job) => job.url)).toEqual(urls(10));
    const eleven = await client.post(path, { items: urls(11).map((url) => ({ url })) });
    expect(eleven).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_long', loc: ['body', 'items'] }] },
    });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 10 });
  });

  it('accepts all or none', async () => {
    const { client } = await newCustomer();
    const bad = await client.post('/v1/batch', { urls: [...urls(2), 'http://10.0.0.1/x.mp3'] });
    expect(bad).toMatchObject({ status: 422, body: { code: 'url_not_allowed' } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
    for (let count = 0; count < 9; count++) await client.post('/v1/batch', { urls: urls(10) });
    await client.post('/v1/batch', { urls: urls(5) });
    const tooMany = await client.post('/v1/batch', { urls: urls(6) });
    expect(tooMany).toMatchObject({ status: 402, body: { code: 'quota_exceeded', limit: 100, count: 95 } });
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 95, remaining: 5 });
  });
});
