import type * as contract from '@earshot/contract';
import { afterAll } from 'vitest';
import type { z } from 'zod';
import { keyHeaders, startAnalysisService, startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm, createTestClient, type TestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';

export type Job = z.infer<typeof contract.AnalysisJob>;
export type Event = z.infer<typeof contract.AnalysisEvent>;

/** Nothing listens there. A job for it stays queued, since most tests have no worker. */
export const SONG_URL = 'http://127.0.0.1:9/song.wav';

/** A service for one test file, with its database, customers and submissions. */
export async function createWorkspaceBench() {
  const { db } = await createTestDatabase({ connectionsMax: 30 });
  const ctx = await buildTestContext(db);
  const service = await startAnalysisService(ctx);
  afterAll(() => service.stop());

  async function newCustomer() {
    const member = await createTestMember(ctx);
    const headers = await keyHeaders(member);
    return { member, headers, client: createTestClient(service.url, headers) };
  }

  const submit = (
    client: TestClient,
    body: object = { source_url: SONG_URL },
    headers: Record<string, string> = {},
  ) => client.post<Job>('/v1/analyses', body, headers);

  /** Runs one real analysis, for tests that read results. */
  async function completeOne() {
    const worker = await startAnalysisWorker(ctx);
    const customer = await newCustomer();
    const form = audioForm(makeWav({ seconds: 2, channelCount: 2 }), { fileName: 'Für Elise.wav' });
    const { body } = await customer.client.send<{ job_id: string }>('/v1/analyze/upload', {
      method: 'POST',
      body: form,
    });
    await customer.client.get(`/v1/analyses/${body.job_id}`, { prefer: 'wait=30' });
    await until(async () => {
      const events = await customer.client.get<Event[]>(`/v1/analyses/${body.job_id}/events`);
      return events.body.some((event) => event.event_type === 'source.deleted');
    }, 'the analysis is over and its audio deleted');
    await worker.stop(0);
    return { ...customer, id: body.job_id };
  }

  return { db, service, newCustomer, submit, completeOne };
}
