import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type * as contract from '@earshot/contract';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyHeaders, startAnalysisService } from '../test/analysis-service.ts';
import { audioForm, createTestClient, type TestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { reserveCredits } from '../usage/usage.ts';

type Accepted = z.infer<typeof contract.AcceptedAnalysis>;

const BYTES_MAX = 200_000;
const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db, {}, { UPLOAD_BYTES_MAX: String(BYTES_MAX) });
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());

async function newCustomer(options: Parameters<typeof createTestMember>[1] = {}) {
  const member = await createTestMember(ctx, options);
  const credentials = await keyHeaders(member);
  return { member, credentials, client: createTestClient(service.url, credentials) };
}

const wav = makeWav({ seconds: 1 });
/** Of a form that a test writes itself, up to the bytes of its file. */
const FORM_TYPE = 'multipart/form-data; boundary=b';
const FORM_HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
const send = (client: TestClient, form: FormData, headers: Record<string, string> = {}) =>
  client.send<Accepted>('/v1/analyze/upload', { method: 'POST', body: form, headers });

async function objectsOf(workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ status: string }>(
    'select status from storage_objects where workspace_id = $1',
    [workspaceId],
  );
  return rows.map((row) => row.status);
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(ctx.config.dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('202', () => {
  it('stores the file, charges one credit and queues one job', async () => {
    const { client, member } = await newCustomer();
    const answer = await send(client, audioForm(wav, { fileName: 'my song.wav' }));
    expect(answer).toMatchObject({ status: 202, body: { status: 'processing' } });
    const job = await client.get(`/v1/analyses/${answer.body.job_id}`);
    expect(job.body).toMatchObject({
      status: 'queued',
      source_url: expect.stringMatching(/^storage:\/\/local\/uploads\/obj_/),
    });
    expect(await objectsOf(member.actor.workspaceId)).toEqual(['stored']);
    const queued = await db.query(
      `select 1 from jobs where kind = 'analysis.run' and payload->>'analysisId' = $1`,
      [answer.body.job_id],
    );
    expect(queued).toHaveLength(1);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
  });

  it('accepts the API key in both headers, together with an idempotency key', async () => {
    const { client, credentials } = await newCustomer();
    const headers = { authorization: `Bearer ${credentials['x-api-key']}`, 'idempotency-key': 'upload-0001' };
    expect((await send(client, audioForm(wav), headers)).status).toBe(202);
  });

  it('is the same job for the same key and file, whatever the boundary of the form', async () => {
    const { client, member } = await newCustomer();
    const headers = { 'idempotency-key': 'upload-0002' };
    const first = await send(client, audioForm(wav), headers);
    const again = await send(client, audioForm(wav), headers);
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 1 });
    await until(
      async () => (await objectsOf(member.actor.workspaceId)).length === 1,
      'the second file is dropped',
    );
    const other = await send(client, audioForm(makeWav({ seconds: 1, toneHz: 330 })), headers);
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['a"; filename="b.mp3', 'a"; filename="b.mp3'],
    ['\u202Egnp.wav', '\u202Egnp.wav'],
    ['né.wav', 'né.wav'],
    ['-rf.wav', '-rf.wav'],
    ['CON', 'CON'],
    [`${'x'.repeat(4000)}.wav`, 'x'.repeat(255)],
  ])('keeps the name %j as data only', async (fileName, keptName) => {
    const { client, member } = await newCustomer();
    expect((await send(client, audioForm(wav, { fileName }))).status).toBe(202);
    const [row] = await db.query<{ key: string; file_name: string }>(
      'select key, file_name from storage_objects where workspace_id = $1',
      [member.actor.workspaceId],
    );
    expect(row?.key).toMatch(/^uploads\/obj_[0-9a-z]{26}$/);
    expect(row?.file_name).toBe(keptName);
  });
});

it('accepts a URL and metadata as long as in a JSON body', async () => {
  const { client } = await newCustomer();
  const webhook_url = `https://hooks.example.com/${'€'.repeat(2_000)}`;
  const pairs = Array.from({ length: 16 }, (_, index) => [`key-${index}`, '\u00e9'.repeat(500)]);
  const metadata = Object.fromEntries(pairs);
  const fields = { webhook_url, metadata: JSON.stringify(metadata) };
  const answer = await send(client, audioForm(wav, { fields }));
  expect(answer).toMatchObject({ status: 202 });
  const job = await client.get(`/v1/analyses/${answer.body.job_id}`);
  expect(job.body).toMatchObject({ webhook_url, metadata });
});

describe('402', () => {
  it('is sent before the file is read when no credit is left', async () => {
    const { client, member } = await newCustomer();
    const { workspaceId } = member.actor;
    const analysisIds = Array.from({ length: 100 }, (_, index) => `job_${workspaceId}_${index}`);
    await db.transaction((tx) => reserveCredits(tx, { workspaceId, analysisIds, now: new Date() }));
    const answer = await send(client, audioForm(wav));
    expect(answer).toMatchObject({ status: 402, body: { code: 'quota_exceeded', limit: 100, count: 100 } });
    expect(await objectsOf(workspaceId)).toEqual([]);
  });

  it('does not keep a replay from its stored answer', async () => {
    const { client, member } = await newCustomer();
    const { workspaceId } = member.actor;
    const headers = { 'idempotency-key': 'upload-0003' };
    const first = await send(client, audioForm(wav), headers);
    const analysisIds = Array.from({ length: 99 }, (_, index) => `job_${workspaceId}_${index}`);
    await db.transaction((tx) => reserveCredits(tx, { workspaceId, analysisIds, now: new Date() }));
    expect(await send(client, audioForm(wav), headers)).toMatchObject({ status: 202, body: first.body });
    expect((await send(client, audioForm(wav), { 'idempotency-key': 'upload-0004' })).status).toBe(402);
  });
});

describe('401, 403', () => {
  it('refuses a missing key and a read-only key', async () => {
    const { member } = await newCustomer();
    expect((await send(createTestClient(service.url), audioForm(wav))).status).toBe(401);
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    expect(await send(reader, audioForm(wav))).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect(await objectsOf(member.actor.workspaceId)).toEqual([]);
  });
});

describe('413', () => {
  it('refuses by the declared length, without reading', async () => {
    const { client, member } = await newCustomer();
    const answer = await send(client, audioForm(makeWav({ seconds: 10 })));
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(await objectsOf(member.actor.workspaceId)).toEqual([]);
  });

  it('refuses at the first byte too many when no length was declared', async () => {
    const { credentials, member } = await newCustomer();
    let sentBytes = 0;
    function* endless() {
      yield Buffer.from(FORM_HEAD);
      yield wav.subarray(0, 44);
      for (const chunk = Buffer.alloc(65_536); ; sentBytes += chunk.length) yield chunk;
    }
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...credentials, 'content-type': FORM_TYPE };
      const request = httpRequest(
        `${service.url}/v1/analyze/upload`,
        { method: 'POST', headers },
        (response) => {
          response.resume();
          resolve(response.statusCode);
          request.destroy();
        },
      );
      request.on('error', reject);
      Readable.from(endless())
        .on('error', () => {})
        .pipe(request);
    });
    expect(status).toBe(413);
    // The buffers of both sockets fill up before the client sees the answer: megabytes, depending on the kernel.
    expect(sentBytes).toBeLessThan(50_000_000);
    await until(
      async () => (await objectsOf(member.actor.workspaceId)).length === 0,
      'nothing is left of it',
    );
  });

  it('accepts exactly the maximum', async () => {
    const { client } = await newCustomer();
    const padded = Buffer.concat([wav, Buffer.alloc(BYTES_MAX - wav.length)]);
    expect((await send(client, audioForm(padded))).status).toBe(202);
    expect((await send(client, audioForm(Buffer.concat([padded, Buffer.alloc(1)])))).status).toBe(413);
  });
});

describe('415', () => {
  it.each([
    ['an empty file', '', /empty/],
    ['text named .mp3', 'These are the words of a song, and no sound at all.', /text file/],
    ['a few bytes', '\x05'.repeat(39), /too small/],
    ['an HLS playlist named .mp3', '#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9,\nfile:///etc/passwd\n', /playlist/],
    ['a web page', '<!doctype html><html><body>song</body></html>', /web page/],
    ['an archive', 'PK\x03\x04 and so on and so on', /ZIP/],
  ])('refuses %s in a sentence', async (_, text, sentence) => {
    const { client, member } = await newCustomer();
    const answer = await send(client, audioForm(Buffer.from(text, 'latin1'), { fileName: 'song.mp3' }));
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media' } });
    expect((answer.body as unknown as { detail: string }).detail).toMatch(sentence);
    expect(await objectsOf(member.actor.workspaceId)).toEqual([]);
    expect((await client.get('/v1/usage')).body).toMatchObject({ count: 0 });
  });
});

describe('422', () => {
  const missing = {
    detail: [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required', input: null }],
  };

  it('names the field when there is no file', async () => {
    const { client } = await newCustomer();
    const form = new FormData();
    form.set('title', 'song');
    expect(await send(client, form)).toMatchObject({ status: 422, body: missing });
    const elsewhere = new FormData();
    elsewhere.set('audio', new Blob([new Uint8Array(wav)]), 'song.wav');
    expect(await send(client, elsewhere)).toMatchObject({ status: 422, body: missing });
    expect(await client.post('/v1/analyze/upload', { file: 'song.wav' })).toMatchObject({
      status: 422,
      body: missing,
    });
  });

  it.each([
    ['a file in a text field', 'retain_source', 'true'],
    ['an unexpected file', 'cover', 'cover.png'],
  ])('refuses %s, and keeps nothing', async (_, name, fileName) => {
    const { client, member } = await newCustomer();
    const form = audioForm(wav, { fields: { retain_source: 'false' } });
    form.append(name, new Blob([new Uint8Array(wav)]), fileName);
    const extra = {
      type: 'extra_forbidden',
      loc: ['body', name],
      msg: 'Extra inputs are not permitted',
      input: null,
    };
    expect(await send(client, form)).toMatchObject({ status: 422, body: { detail: [extra] } });
    await until(async () => (await objectsOf(member.actor.workspaceId)).length === 0, 'the file is dropped');
  });

  it('refuses a field that is too long, instead of truncating it', async () => {
    const { client, member } = await newCustomer();
    const webhook_url = `https://hooks.example/${'€'.repeat(30_000)}`;
    expect(await send(client, audioForm(wav, { fields: { webhook_url } }))).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            type: 'string_too_long',
            loc: ['body', 'webhook_url'],
            msg: 'String should have at most 65536 bytes',
            input: null,
          },
        ],
      },
    });
    await until(async () => (await objectsOf(member.actor.workspaceId)).length === 0, 'the file is dropped');
  });

  it('refuses a repeated field at once, without reading the rest', async () => {
    const { client, member } = await newCustomer();
    const form = new FormData();
    for (const _ of ['once', 'twice']) form.append('webhook_url', 'https://hooks.example.com/');
    const large = Buffer.concat([wav, Buffer.alloc(BYTES_MAX - wav.length)]);
    form.set('file', new Blob([new Uint8Array(large)]), 'song.wav');
    expect(await send(client, form)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_long', loc: ['body', 'webhook_url'] }] },
    });
    expect(await objectsOf(member.actor.workspaceId)).toEqual([]);
  });

  it('refuses a repeated field after the file, and deletes the stored file', async () => {
    const { client, member } = await newCustomer();
    const form = audioForm(wav);
    for (const _ of ['once', 'twice']) form.append('webhook_url', 'https://hooks.example.com/');
    expect((await send(client, form)).status).toBe(422);
    await until(async () => (await objectsOf(member.actor.workspaceId)).length === 0, 'the file is dropped');
  });

  it('refuses a webhook_url that is invalid or private, and keeps no file', async () => {
    const { client, member } = await newCustomer();
    const noUrl = await send(client, audioForm(wav, { fields: { webhook_url: 'soon' } }));
    expect(noUrl).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'url_parsing', loc: ['body', 'webhook_url'] }] },
    });
    const hidden = await send(
      client,
      audioForm(wav, { fields: { webhook_url: 'http://169.254.169.254/latest' } }),
    );
    expect(hidden).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'url_not_allowed', loc: ['body', 'webhook_url'] }] },
    });
    await until(
      async () => (await objectsOf(member.actor.workspaceId)).length === 0,
      'the files are dropped',
    );
  });
});

describe('400', () => {
  it('reports too many files, when `file` may be among those that were not read', async () => {
    const { client } = await newCustomer();
    const form = new FormData();
    for (const name of ['cover', 'lyrics', 'file']) form.set(name, new Blob([new Uint8Array(wav)]), 'a.wav');
    const answer = await send(client, form);
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    expect((answer.body as unknown as { detail: string }).detail).toMatch(/one file/);
  });

  it.each([
    [20, 422],
    [21, 400],
  ])('reports too many fields from the 21st on: %i fields give a %i', async (count, status) => {
    const { client } = await newCustomer();
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, '']));
    expect((await send(client, audioForm(wav, { fields }))).status).toBe(status);
  });
});

describe('a broken upload', () => {
  it('that stops in the middle leaves nothing behind', async () => {
    const { credentials, member } = await newCustomer();
    const filesBefore = await storedFiles();
    await new Promise<void>((resolve) => {
      const headers = { ...credentials, 'content-type': FORM_TYPE };
      const request = httpRequest(`${service.url}/v1/analyze/upload`, { method: 'POST', headers });
      request.on('error', () => {});
      request.on('close', () => resolve());
      request.write(FORM_HEAD);
      request.write(wav.subarray(0, 20_000));
      until(
        async () => (await objectsOf(member.actor.workspaceId)).length === 1,
        'the upload has begun',
      ).then(() => request.destroy());
    });
    await until(
      async () => (await objectsOf(member.actor.workspaceId)).length === 0,
      'the reservation is taken back',
    );
    await until(async () => (await storedFiles()).length === filesBefore.length, 'no partial file is left');
  });

  it('that ends before its last boundary is a 400', async () => {
    const { client } = await newCustomer();
    const answer = await client.send('/v1/analyze/upload', {
      method: 'POST',
      headers: { 'content-type': FORM_TYPE },
      body: `${FORM_HEAD}RIFF`,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  });
});
