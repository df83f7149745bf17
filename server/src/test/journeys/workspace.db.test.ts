import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createTestClient } from '../client.ts';
import { startReceiver } from '../local-server.ts';
import { until } from '../until.ts';
import { signIn, startJourneyService } from './journey-service.ts';

/** From a sign-in code to a verified webhook, on the workspace surface. */

const service = await startJourneyService();
const song = await readFile(new URL('../../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

type Job = { id: string; status: string; idempotent_replay: boolean };
type Result = {
  status: string;
  result: { bpm: number; key_notation: string } | null;
  report_artifact: { formats: Record<string, string> };
};

/** The analysis of a whole song, on a busy machine. */
const JOURNEY_TIMEOUT_MS = 120_000;

it('signs in, uploads, analyses, and receives signed events', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
  const { client: person } = await signIn(service.client, service.url, 'walker@example.com');
  const receiver = await startReceiver();
  const endpoint = await person.post<{ signing_secret: string }>('/v1/webhook-endpoints', {
    url: receiver.url,
  });
  expect(endpoint.status).toBe(201);

  const scopes = ['analyses:create', 'analyses:read', 'webhooks:read', 'webhooks:write'];
  const key = await person.post<{ plaintext_key: string; prefix: string }>('/v1/api-keys', {
    name: 'journey',
    scopes,
  });
  expect(key.body.plaintext_key.startsWith(key.body.prefix)).toBe(true);
  const program = createTestClient(service.url, { authorization: `Bearer ${key.body.plaintext_key}` });

  const slot = await program.post<{ id: string; signed_url: string }>('/v1/storage-objects', {
    content_type: 'audio/mpeg',
    purpose: 'upload',
  });
  const put = await fetch(slot.body.signed_url, {
    method: 'PUT',
    headers: { 'content-type': 'audio/mpeg' },
    body: new Uint8Array(song),
  });
  expect(put.status).toBe(200);

  const submit = () =>
    program.post<Job>(
      '/v1/analyses',
      { storage_object_id: slot.body.id },
      { 'idempotency-key': 'journey-one' },
    );
  const [first, second] = [await submit(), await submit()];
  expect([first.status, first.body.idempotent_replay]).toEqual([202, false]);
  expect([second.status, second.body.idempotent_replay]).toEqual([202, true]);
  expect(second.body.id).toBe(first.body.id);
  expect((await program.get<Job[]>('/v1/analyses')).body).toHaveLength(1);
  const jobId = first.body.id;

  const types = await readStream(`/v1/analyses/${jobId}/events`, key.body.plaintext_key);
  expect(types).toEqual(['job.queued', 'job.started', 'audio.decoded', 'job.completed']);

  const result = await program.get<Result>(`/v1/analyses/${jobId}/result`);
  expect(result.body).toMatchObject({ status: 'completed', result: { key_notation: 'G' } });
  // The tempo that the song was rendered at, to the nearest BPM; docs/accuracy.md measures how exact it is.
  expect(Math.round(result.body.result?.bpm ?? 0)).toBe(112);
  for (const format of ['html', 'pdf', 'json'])
    expect(result.body.report_artifact.formats[format]).toMatch(/^http/);
  const account = await program.get<Result>(`/v1/account/analyses/${jobId}/result`);
  expect(account.body).toEqual(result.body);

  await until(() => receiver.calls.length >= 1, 'the endpoint was called');
  const delivery = await program.post<{ id: string; job_id: string; signature: string }>(
    `/v1/analyses/${jobId}/webhook-deliveries`,
  );
  expect([delivery.status, delivery.body.job_id]).toEqual([201, jobId]);
  await until(() => receiver.calls.length >= 2, 'the endpoint was called again');
  for (const call of receiver.calls) {
    const event = new Webhook(endpoint.body.signing_secret).verify(
      call.body,
      call.headers as Record<string, string>,
    );
    expect(event).toMatchObject({ type: 'analysis.completed', data: { job_id: jobId } });
  }
  expect(receiver.calls[1]?.headers['webhook-id']).toBe(delivery.body.id);
});

/** The event types up to the end of the stream, without progress events. */
async function readStream(path: string, token: string): Promise<string[]> {
  const response = await fetch(service.url + path, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await response.text();
  return [...text.matchAll(/^event: (.+)$/gm)]
    .map((match) => match[1]!)
    .filter((type) => type !== 'analysis.progress');
}
