import type * as contract from '@earshot/contract';
import { afterAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyHeaders, startAnalysisService } from '../../test/analysis-service.ts';
import { audioForm, createTestClient } from '../../test/client.ts';
import { whileCollecting } from '../../test/collect-garbage.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { makeWav } from '../../test/wav.ts';
import { streamEvents } from './event-stream.ts';

/** Nobody works here: whoever waits for the end of a job waits for their own deadline. */
const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());
const client = createTestClient(service.url, await keyHeaders(await createTestMember(ctx)));

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
  expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['processing']));
});

it('ends an event stream in time', async () => {
  const id = await submit();
  const signal = new AbortController().signal;
  const stream = streamEvents(ctx, id, { lastEventId: '', signal, lifetimeMs: 300 });
  const text = await whileCollecting(async () => (await stream.toArray()).join(''));
  expect(text).toContain('event: job.queued');
});
