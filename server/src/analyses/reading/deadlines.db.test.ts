import type * as contract from '@earshot/contract';
import { afterAll, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { whileCollecting } from '../../../../scripts/collect-garbage.mjs';
import type { EventHub } from '../../platform/event-hub.ts';
import { keyHeaders, startAnalysisService } from '../../test/analysis-service.ts';
import { audioForm, createTestClient } from '../../test/client.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { until } from '../../test/until.ts';
import { makeWav } from '../../test/wav.ts';
import { findAnalysis } from '../store.ts';
import { streamEvents } from './event-stream.ts';
import { waitForEnd } from './wait-for-end.ts';

/** There is no worker: whatever waits for the end of a job waits for its own deadline. */
const { db } = await createTestDatabase();
const built = await buildTestContext(db);
let subscriptionCount = 0;
let activeCount = 0;
const analysisEvents: EventHub = {
  async subscribe(...subscription) {
    const unsubscribe = await built.analysisEvents.subscribe(...subscription);
    subscriptionCount += 1;
    activeCount += 1;
    return () => {
      activeCount -= 1;
      unsubscribe();
    };
  },
};
const ctx = { ...built, analysisEvents };
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());
const headers = await keyHeaders(await createTestMember(ctx));
const client = createTestClient(service.url, headers);

async function submit(): Promise<string> {
  const body = audioForm(makeWav({ seconds: 1 }));
  const accepted = await client.send<z.infer<typeof contract.AcceptedAnalysis>>('/v1/analyze/upload', {
    method: 'POST',
    body,
  });
  return accepted.body.job_id;
}

it('answers a long poll in time, whatever the garbage collector does', async () => {
  const id = await submit();
  const polls = Array.from({ length: 12 }, () =>
    client.get<{ status: string }>(`/v1/analysis/${id}`, { prefer: 'wait=1' }),
  );
  const answers = await whileCollecting(() => Promise.all(polls));
  const distinct = [...new Set(answers.map(({ body }) => JSON.stringify(body)))].map((text) =>
    JSON.parse(text),
  );
  expect(distinct).toEqual([expect.objectContaining({ status: 'processing' })]);
});

it('ends an event stream in time', async () => {
  const id = await submit();
  const signal = new AbortController().signal;
  const stream = streamEvents(ctx, id, { lastEventId: null, signal, lifetimeMs: 300 });
  const text = await whileCollecting(async () => (await stream.toArray()).join(''));
  expect(text).toContain('event: job.queued');
  expect(activeCount).toBe(0);
});

it('ends event streams and long polls when the process stops', async () => {
  const id = await submit();
  const shutdown = new AbortController();
  const stoppable = { ...ctx, stopping: shutdown.signal };
  const { signal } = new AbortController();
  const subscriptionCountBefore = subscriptionCount;
  const stream = streamEvents(stoppable, id, { lastEventId: null, signal }).toArray();
  let readCount = 0;
  const read = async () => {
    const analysis = await findAnalysis(db, id);
    readCount += 1;
    return analysis!;
  };
  // Like the lifetime of the stream, longer than the time limit of a test.
  const poll = waitForEnd(stoppable, read, { waitSeconds: 300, signal });
  // A poll reads before and after it subscribes, and then waits.
  await until(() => subscriptionCount === subscriptionCountBefore + 2 && readCount === 2, 'both wait');
  shutdown.abort();
  expect((await poll).status).toBe('queued');
  await stream;
  expect(activeCount).toBe(0);
});

it('sends a comment every 15 seconds while nothing happens, so that proxies keep the connection', async () => {
  const id = await submit();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let text = '';
  const stream = streamEvents(ctx, id, { lastEventId: null, signal: new AbortController().signal });
  stream.on('data', (chunk) => {
    text += chunk;
  });
  const commentCount = () => text.split(': still here\n\n').length - 1;
  try {
    await until(() => text.includes('event: job.queued'), 'the first event is sent');
    // One of three may follow a late notification of the submission instead.
    for (let round = 0; round < 3; round++) {
      const before = commentCount();
      vi.advanceTimersByTime(15_000);
      await until(() => commentCount() > before, 'a comment is sent');
    }
  } finally {
    stream.destroy();
    vi.useRealTimers();
  }
});

it.each(['GET', 'HEAD'])('closes an event stream whose client has disconnected: %s', async (method) => {
  const id = await submit();
  const subscriptionCountBefore = subscriptionCount;
  const reader = new AbortController();
  const response = await fetch(`${service.url}/v1/analyses/${id}/events`, {
    method,
    headers: { ...headers, accept: 'text/event-stream' },
    signal: reader.signal,
  });
  expect(response.status).toBe(200);
  reader.abort();
  const isUnsubscribed = () => subscriptionCount > subscriptionCountBefore && activeCount === 0;
  await until(isUnsubscribed, 'nothing is subscribed');
});

it('reports the end even if the event before it was written by a process whose clock is ahead', async () => {
  const id = await submit();
  const farAhead = 'evt_7zzzzzzzzzzzzzzzzzzzzzzzzz';
  await db.query(
    `insert into analysis_events (id, analysis_id, event_type, message) values ($1, $2, 'analysis.progress', '10 %')`,
    [farAhead, id],
  );
  await client.send(`/v1/analyses/${id}/cancel`, { method: 'POST' });
  const list = await client.get<{ event_type: string }[]>(`/v1/analyses/${id}/events`);
  expect(list.body.map((event) => event.event_type)).toEqual([
    'job.queued',
    'analysis.progress',
    'job.canceled',
  ]);
  const signal = new AbortController().signal;
  const stream = streamEvents(ctx, id, { lastEventId: farAhead, signal, lifetimeMs: 3_000 });
  expect((await stream.toArray()).join('')).toContain('event: job.canceled');
});

it('ends an event stream of an analysis that is deleted', async () => {
  const id = await submit();
  const subscriptionCountBefore = subscriptionCount;
  const signal = new AbortController().signal;
  // With the usual lifetime, which is longer than the time limit of a test.
  const ended = streamEvents(ctx, id, { lastEventId: null, signal }).toArray();
  await until(() => subscriptionCount > subscriptionCountBefore, 'the stream is subscribed');
  await client.send(`/v1/analyses/${id}`, { method: 'DELETE' });
  await ended;
});
