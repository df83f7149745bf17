import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { addTestSong } from '../library/test-songs.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { startReceiver } from '../test/local-server.ts';
import { createWorkspaceBench, type Event, type Job, SONG_URL } from './test-workspace-bench.ts';

/** A job over HTTP: listed, waited for, streamed, canceled, deleted, announced. */

type Result = z.infer<typeof contract.AnalysisResult>;
type Delivery = z.infer<typeof contract.JobWebhookDelivery>;

const { db, service, newCustomer, submit, completeOne } = await createWorkspaceBench();
const completed = await completeOne();

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
    expect((await client.get('/v1/analyses?limit=201')).status).toBe(422);
  });

  it("shows nothing of another account's", async () => {
    const [mine, theirs] = [await newCustomer(), await newCustomer()];
    await submit(theirs.client);
    expect((await mine.client.get('/v1/analyses')).body).toEqual([]);
  });
});

describe('POST …/cancel', () => {
  it('ends the job, refunds the credit and cannot be repeated', async () => {
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
    expect(result).toMatchObject({
      status: 200,
      body: { status: 'canceled', result: null, error: { code: 'canceled' } },
    });
  });

  it('succeeds once of twenty concurrent requests, with one refund', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(`/v1/analyses/${body.id}/cancel`)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const refunds = await db.query(
      `select 1 from credit_ledger where analysis_id = $1 and entry = 'refund'`,
      [body.id],
    );
    expect(refunds).toHaveLength(1);
  });
});

describe('DELETE /v1/analyses/{id}', () => {
  it('deletes the job with its events and metadata', async () => {
    const { client } = await newCustomer();
    const options = { source_url: SONG_URL, metadata: { take: 'third' }, hints: { bpm: 99 } };
    const { body } = await submit(client, options);
    const stored = () =>
      db.query('select source_url, metadata, hints from analyses where id = $1', [body.id]);
    expect(await stored()).toEqual([options]);
    expect(await client.send(`/v1/analyses/${body.id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect((await client.get(`/v1/analyses/${body.id}`)).status).toBe(404);
    expect((await client.get('/v1/analyses')).body).toEqual([]);
    expect(await stored()).toEqual([{ source_url: '', metadata: {}, hints: {} }]);
    expect(await db.query('select 1 from analysis_events where analysis_id = $1', [body.id])).toHaveLength(0);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
  });

  it('deletes the result of a completed job', async () => {
    const { client, member } = await newCustomer();
    const id = await addTestSong(db, member.actor.workspaceId);
    const results = () => db.query('select 1 from analysis_results where analysis_id = $1', [id]);
    expect(await results()).toHaveLength(1);
    expect((await client.send(`/v1/analyses/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await results()).toHaveLength(0);
  });
});

it('a submission, its cancellation, a repeated webhook and the deletion are audited', async () => {
  const { client, member } = await newCustomer();
  const { body } = await submit(client, { source_url: SONG_URL, webhook_url: 'http://127.0.0.1:9/hook' });
  await client.post(`/v1/analyses/${body.id}/cancel`);
  await client.post(`/v1/analyses/${body.id}/webhook-deliveries`);
  await client.send(`/v1/analyses/${body.id}`, { method: 'DELETE' });
  const audited = await db.query<{ action: string }>(
    'select action from audit_events where workspace_id = $1 and target_id = $2 order by id',
    [member.actor.workspaceId, body.id],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    'analysis.create',
    'analysis.cancel',
    'webhook_delivery.create',
    'analysis.delete',
  ]);
});

describe('Prefer: wait', () => {
  /** Less than the 30 s for which the client offers to wait. */
  const ENDED_MS_MAX = 20_000;

  it('answers as soon as the job ends', { timeout: ENDED_MS_MAX }, async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const waiting = client.get<Job>(`/v1/analyses/${body.id}`, { prefer: 'respond-async, wait=30' });
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const answer = await waiting;
    expect(answer.body.status).toBe('canceled');
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  it('answers with the current state when the time is over', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const startedMs = performance.now();
    const answer = await client.get<Job>(`/v1/analyses/${body.id}`, { prefer: 'wait=1' });
    // A timer may fire up to a millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThan(999);
    expect(answer.body.status).toBe('queued');
    expect(answer.headers.get('preference-applied')).toBe('wait=1');
  });
});

describe('GET …/events', () => {
  const openStream = (id: string, headers: Record<string, string>) =>
    fetch(`${service.url}/v1/analyses/${id}/events`, {
      headers: { accept: 'text/event-stream', ...headers },
    });
  const eventsIn = (text: string) =>
    [...text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.+)\n\n/g)].map(([, id, type, data]) => ({
      id: id!,
      type: type!,
      data: JSON.parse(data!) as Event,
    }));
  const readStream = async (id: string, headers: Record<string, string>) => {
    const response = await openStream(id, headers);
    const events = eventsIn(await response.text());
    return { status: response.status, type: response.headers.get('content-type'), events };
  };

  it('lists every event, oldest first', async () => {
    const { body } = await completed.client.get<Event[]>(`/v1/analyses/${completed.id}/events`);
    const types = body.map((event) => event.event_type);
    expect([types[0], ...types.slice(-2)]).toEqual(['job.queued', 'job.completed', 'source.deleted']);
    const stored = await db.query<{ id: string }>(
      'select id from analysis_events where analysis_id = $1 order by id',
      [completed.id],
    );
    expect(body.map((event) => event.id)).toEqual(stored.map(({ id }) => id));
  });

  it('streams the same events, up to the end of the job', async () => {
    const headers = await keyHeaders(completed.member);
    const { status, type, events } = await readStream(completed.id, headers);
    expect([status, type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events.map((event) => event.type)).toContain('analysis.progress');
    expect(events.at(-1)!.type).toBe('job.completed');
    const list = await completed.client.get<Event[]>(`/v1/analyses/${completed.id}/events`);
    expect(events.map((event) => event.data)).toEqual(list.body.slice(0, events.length));
  });

  it('streams events that happen while it is open', async () => {
    const { client, headers } = await newCustomer();
    const { body } = await submit(client);
    const response = await openStream(body.id, headers);
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body!) {
      const before = eventsIn(text).length;
      text += decoder.decode(bytes, { stream: true });
      // Only now, so that the end happens while the stream is open.
      if (before === 0 && eventsIn(text).length === 1) await client.post(`/v1/analyses/${body.id}/cancel`);
    }
    expect(eventsIn(text).map((event) => event.type)).toEqual(['job.queued', 'job.canceled']);
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
  it('is 409 for an unfinished job, and without a webhook', async () => {
    const { client } = await newCustomer();
    const { body } = await submit(client);
    const early = await client.post(`/v1/analyses/${body.id}/webhook-deliveries`);
    expect(early).toMatchObject({ status: 409, body: { code: 'not_finished' } });
    await client.post(`/v1/analyses/${body.id}/cancel`);
    const withoutWebhook = await client.post(`/v1/analyses/${body.id}/webhook-deliveries`);
    expect(withoutWebhook).toMatchObject({ status: 409, body: { code: 'no_webhook_endpoint' } });
  });

  it('creates new deliveries, the newest endpoint first, and sends them on request', async () => {
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
