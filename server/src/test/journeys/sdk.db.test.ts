import { openAsBlob } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiError, Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { startReceiver } from '../local-server.ts';
import { until } from '../until.ts';
import { startJourneyService } from './journey-service.ts';

/** Both surfaces of the interface, key-based and workspace, used with the TypeScript client alone. */

const service = await startJourneyService();
const anonymous = new Earshot({ baseUrl: service.url });
const song = fileURLToPath(new URL('../../../../examples/sample-song/two-doors-down.mp3', import.meta.url));

/** The analysis of a whole song, on a busy machine. */
const JOURNEY_TIMEOUT_MS = 120_000;

it('registers, uploads, waits, reads the result, receives the webhook, and reads its usage', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const receiver = await startReceiver();
  const account = await anonymous.request('registerAccount', { body: { email: 'sdk-key@example.com' } });
  const earshot = new Earshot({ apiKey: account.api_key, baseUrl: service.url });

  const job = await earshot.analyses.create({
    file: await openAsBlob(song, { type: 'audio/mpeg' }),
    fileName: 'two-doors-down.mp3',
    webhook_url: receiver.url,
  });
  const progressShares: number[] = [];
  const { result } = await job.wait({ onProgress: ({ progress }) => progressShares.push(progress) });
  // The tempo that the song was rendered at, to the nearest BPM; docs/accuracy.md measures how exact it is.
  expect(Math.round(result.bpm ?? 0)).toBe(112);
  expect(result.key_notation).toBe('G');
  expect(progressShares.at(-1)).toBe(1);
  expect(job.data.file_name).toBe('two-doors-down.mp3');

  const full = await earshot.request('getKeyAnalysisFull', { params: { job_id: job.id } });
  const labels = ['intro', 'verse', 'chorus', 'verse', 'chorus', 'outro'];
  expect(full.sections.map(({ label }) => label)).toEqual(labels);

  await until(() => receiver.calls.length > 0, 'the webhook arrived');
  const [call] = receiver.calls;
  const event = await earshot.webhooks.verify(call!.body, call!.headers, account.webhook_signing_secret);
  expect(event).toMatchObject({ type: 'analysis.completed', data: { job_id: job.id } });
  expect(await earshot.request('getUsage', {})).toMatchObject({ local_analysis_jobs: 1 });
});

it('signs in, creates a key, submits idempotently, follows the events, and receives deliveries', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const receiver = await startReceiver();
  const challenge = await anonymous.request('startSignIn', { body: { email: 'sdk-session@example.com' } });
  const session = await anonymous.request('verifySignIn', {
    body: { challenge_id: challenge.challenge_id, code: challenge.dev_code ?? '' },
  });
  const person = new Earshot({ apiKey: session.access_token, baseUrl: service.url });
  const endpoint = await person.request('createWebhookEndpoint', { body: { url: receiver.url } });
  const key = await person.request('createApiKey', {
    body: {
      name: 'journey',
      scopes: ['analyses:create', 'analyses:read', 'webhooks:read', 'webhooks:write'],
    },
  });
  const program = new Earshot({ apiKey: key.plaintext_key, baseUrl: service.url });

  const submit = async () =>
    program.analyses.create({ file: await openAsBlob(song), idempotencyKey: 'sdk-journey' });
  const [first, second] = [await submit(), await submit()];
  expect(second.id).toBe(first.id);
  expect([first.data.idempotent_replay, second.data.idempotent_replay]).toEqual([false, true]);

  const types: string[] = [];
  for await (const { event_type } of first.events()) types.push(event_type);
  expect(types[0]).toBe('job.queued');
  expect(types.at(-1)).toBe('job.completed');
  expect((await first.wait()).result.camelot).toBe('9B');
  // Submitted again after the source was deleted: still the same job.
  expect((await submit()).id).toBe(first.id);
  const listed: string[] = [];
  for await (const { id } of program.analyses.list({ pageSize: 1 })) listed.push(id);
  expect(listed).toEqual([first.id]);

  const delivery = await program.request('createJobWebhookDelivery', { params: { job_id: first.id } });
  await until(() => receiver.calls.length >= 2, 'both deliveries arrived');
  for (const { body, headers } of receiver.calls) {
    const event = await program.webhooks.verify(body, headers, endpoint.signing_secret);
    expect(event.data.job_id).toBe(first.id);
  }
  await until(async () => {
    for await (const { id, status } of program.iterate('listWebhookDeliveries', { limit: 1 })) {
      if (id === delivery.id) return status === 'delivered';
    }
    return false;
  }, 'the delivery is listed as delivered');

  const refused = await program.request('listApiKeys', {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' });
});
