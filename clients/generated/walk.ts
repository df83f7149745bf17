/**
 * A journey through the API with a client that openapi-typescript and openapi-fetch generate from contract/openapi.json.
 * scripts/generated-client.test.mjs generates `api.ts` in a temporary folder; its types check every request.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.ts';

const NOWHERE = 'http://127.0.0.1:9/nothing-there.wav';
const [url = '', song = ''] = process.argv.slice(2);

type Earshot = Client<paths>;
type KeyAnalysis = components['schemas']['KeyAnalysis'];

/** The body of a successful response. */
function bodyOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

function expect(what: string, found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

async function register(): Promise<Earshot> {
  const email = `generated-${crypto.randomUUID()}@example.com`;
  const account = bodyOf(
    await createClient<paths>({ baseUrl: url }).POST('/v1/auth/register', { body: { email } }),
  );
  return createClient<paths>({ baseUrl: url, headers: { 'X-API-Key': account.api_key } });
}

async function wait(client: Earshot, job_id: string): Promise<KeyAnalysis> {
  const deadlineMs = Date.now() + 60_000;
  while (Date.now() < deadlineMs) {
    const analysis = bodyOf(await client.GET('/v1/analysis/{job_id}', { params: { path: { job_id } } }));
    if (analysis.status !== 'processing') return analysis;
    await pause(200);
  }
  throw new Error(`${job_id} did not finish`);
}

async function count(client: Earshot): Promise<number> {
  const usage = bodyOf(await client.GET('/v1/usage'));
  if (!('remaining' in usage)) throw new Error('a key reads the usage of the key-based surface');
  return usage.count;
}

const client = await register();
expect('usage at first', await count(client), 0);

const accepted = bodyOf(
  await client.POST('/v1/analyze/upload', {
    // The type of bytes is string in OpenAPI; the serializer builds the form.
    body: { file: '', features: ['rhythm', 'loudness'] },
    bodySerializer: ({ features }) => {
      const form = new FormData();
      form.append('file', new Blob([readFileSync(song)]), 'song.ogg');
      for (const feature of features ?? []) form.append('features', feature);
      return form;
    },
    params: { header: { 'Idempotency-Key': 'generated-upload' } },
  }),
);
const done = await wait(client, accepted.job_id);
expect('the upload', [done.status, done.error], ['completed', null]);
const full = bodyOf(
  await client.GET('/v1/analysis/{job_id}/full', { params: { path: { job_id: accepted.job_id } } }),
);
expect('the groups asked for', [full.result?.loudness != null, full.result?.tonal ?? null], [true, null]);

const batch = bodyOf(await client.POST('/v1/batch', { body: { urls: [NOWHERE, NOWHERE] } }));
expect('the batch', batch.jobs.length, 2);
for (const { job_id } of batch.jobs) {
  // It is canceled, or its download has failed already: neither is charged.
  await client.POST('/v1/analyses/{job_id}/cancel', { params: { path: { job_id } } });
  const ended = await wait(client, job_id);
  expect('a canceled job', [ended.status, typeof ended.error], ['failed', 'string']);
}
expect('usage at last', await count(client), 1);

const wrong = await client.POST('/v1/analyze/url', { body: { url: 'nonsense' } });
const issue = wrong.error !== undefined && Array.isArray(wrong.error.detail) ? wrong.error.detail[0] : null;
expect('a wrong address', [wrong.response.status, issue?.loc], [422, ['body', 'url']]);
const missing = await client.GET('/v1/analysis/{job_id}', { params: { path: { job_id: 'job_unknown' } } });
expect('an unknown job', missing.response.status, 404);
console.log('The generated TypeScript client walked the journey');
