import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type * as contract from '@earshot/contract';
import { ConnectionError, Earshot } from '@earshot/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createAnalyses, PLAIN_ANALYSIS } from '../analyses/analyses.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';
import { keyHeaders, startAnalysisService } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { makeWav } from '../test/wav.ts';
import { readStorageUse } from './quota.ts';
import {
  deleteUnneededObject,
  openUploadSlot,
  sweepExpiredSlots,
  sweepUnneededObjects,
} from './storage-objects.ts';

/** Upload slots: a signed URL permits exactly one upload, of the declared type and size. */

type Slot = z.infer<typeof contract.StorageObject>;
type Job = z.infer<typeof contract.AnalysisJob>;

const BYTES_MAX = 100_000;
const { db } = await createTestDatabase({ connectionsMax: 30 });
let now = new Date();
const ctx = await buildTestContext(db, { clock: () => now }, { UPLOAD_BYTES_MAX: String(BYTES_MAX) });
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());

const wav = makeWav({ seconds: 1 });

async function newCustomer() {
  const member = await createTestMember(ctx);
  return { member, client: createTestClient(service.url, await keyHeaders(member)) };
}

async function newSlot(contentType = 'audio/wav') {
  const customer = await newCustomer();
  const { status, body } = await customer.client.post<Slot>('/v1/storage-objects', {
    content_type: contentType,
    purpose: 'upload',
  });
  expect(status).toBe(201);
  return { ...customer, slot: body };
}

async function put(
  url: string,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
  method = 'PUT',
) {
  const init = {
    method,
    headers: { 'content-type': 'audio/wav', ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : body,
    duplex: 'half' as const,
  };
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function storedSha256(slot: Slot): Promise<string> {
  const { stream } = await ctx.storage.read(slot.key);
  return sha256Hex(Buffer.concat(await stream.toArray()));
}

const isStored = async (slot: Slot) => (await ctx.storage.stat(slot.key)) !== null;

describe('a slot', () => {
  it('has what the interface names, and takes one file', async () => {
    const { slot, client } = await newSlot();
    expect(slot).toMatchObject({
      id: expect.stringMatching(/^obj_/),
      bucket: 'local',
      key: `uploads/${slot.id}`,
      content_type: 'audio/wav',
      bytes_max: BYTES_MAX,
      expires_at: new Date(now.getTime() + 15 * 60_000).toISOString(),
    });
    const stored = await put(slot.signed_url, wav);
    expect(stored).toEqual({
      status: 200,
      body: { id: slot.id, byte_size: wav.length, sha256: sha256Hex(wav), content_type: 'audio/wav' },
    });
    const job = await client.post<Job>('/v1/analyses', { storage_object_id: slot.id });
    expect(job).toMatchObject({ status: 202, body: { storage_object_id: slot.id, status: 'queued' } });
    expect(job.body.source_url).toBe(`storage://local/${slot.key}`);
  });

  it('cannot be analysed before its file was uploaded', async () => {
    const { slot, client } = await newSlot();
    const answer = await client.post('/v1/account/analyses', { storage_object_id: slot.id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'object_not_uploaded' } });
  });

  it('is 404 for another workspace, with the same body as for an unknown id', async () => {
    const { slot } = await newSlot();
    await put(slot.signed_url, wav);
    const { client } = await newCustomer();
    const foreign = await client.post('/v1/analyses', { storage_object_id: slot.id });
    const random = await client.post('/v1/analyses', { storage_object_id: 'obj_01k0f8yq3m7t9w2x4z6b8c0d1e' });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...random.body, request_id: '' });
  });

  it('is refused to a read-only key', async () => {
    const { member } = await newCustomer();
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    const answer = await reader.post('/v1/storage-objects', { content_type: 'audio/wav' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });

  it.each(['text/html', 'image/svg+xml', 'application/json', 'audio/'])(
    'is refused for %s',
    async (content_type) => {
      const { client } = await newCustomer();
      const answer = await client.post('/v1/storage-objects', { content_type, purpose: 'upload' });
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'content_type'] }] } });
    },
  );
});

describe('the signed URL', () => {
  it('is accepted until it expires, and is 410 from then on', async () => {
    const [{ slot: early }, { slot: late }] = [await newSlot(), await newSlot()];
    // The URL has whole seconds.
    const expiresAtMs = Math.floor(Date.parse(late.expires_at) / 1000) * 1000;
    now = new Date(expiresAtMs - 1);
    expect((await put(early.signed_url, wav)).status).toBe(200);
    now = new Date(expiresAtMs);
    expect(await put(late.signed_url, wav)).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await isStored(late)).toBe(false);
  });

  it('accepts no other method', async () => {
    const { slot } = await newSlot();
    expect((await put(slot.signed_url, wav, {}, 'POST')).status).toBe(405);
    const read = await fetch(slot.signed_url);
    expect(read.status).toBe(405);
    expect(await isStored(slot)).toBe(false);
  });

  it.each([
    ['another object', (url: URL, other: Slot) => url.pathname.replace(/obj_\w+/, other.id)],
    ['a traversal', (url: URL) => url.pathname.replace(/obj_\w+/, '..%2F..%2Fsecrets')],
  ])('is not valid for %s', async (_, change) => {
    const [{ slot }, { slot: other }] = [await newSlot(), await newSlot()];
    const url = new URL(slot.signed_url);
    url.pathname = change(url, other);
    expect((await put(url.href, wav)).status).toBe(404);
    expect(await isStored(other)).toBe(false);
  });

  it.each([
    ['expires', (value: string) => String(Number(value) + 3600)],
    ['expires', () => '99999999999999999999'],
    ['expires', () => 'never'],
    ['signature', (value: string) => `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`],
    ['signature', () => ''],
    ['signature', () => 'é'.repeat(43)],
  ])('with another %s is 404', async (name, change) => {
    const { slot } = await newSlot();
    const url = new URL(slot.signed_url);
    url.searchParams.set(name, change(url.searchParams.get(name) ?? ''));
    expect(await put(url.href, wav)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await isStored(slot)).toBe(false);
  });

  it('accepts only the content type it was created for', async () => {
    const { slot } = await newSlot();
    expect(await put(slot.signed_url, wav, { 'content-type': 'audio/mpeg' })).toMatchObject({ status: 415 });
    expect(await isStored(slot)).toBe(false);
    expect((await put(slot.signed_url, wav, { 'content-type': 'audio/wav; charset=binary' })).status).toBe(
      200,
    );
  });

  it('refuses more bytes than its maximum, whether their number is declared or not', async () => {
    const { slot } = await newSlot();
    const big = new Uint8Array(BYTES_MAX + 1);
    expect(await put(slot.signed_url, big)).toMatchObject({ status: 413 });
    const undeclared = new Blob([big]).stream();
    expect(await put(slot.signed_url, undeclared)).toMatchObject({ status: 413 });
    expect(await isStored(slot)).toBe(false);
    expect((await put(slot.signed_url, new Uint8Array(BYTES_MAX))).status).toBe(200);
  });

  it('keeps nothing of an upload that was cut off, and accepts it again', async () => {
    const { slot } = await newSlot();
    const { host, port, pathname, search } = new URL(slot.signed_url);
    const socket = connect(Number(port), '127.0.0.1');
    // An unread response would keep the connection open.
    socket.resume();
    const closed = once(socket, 'close');
    socket.on('error', () => {});
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: audio/wav\r\n` +
        `Content-Length: ${wav.length + 100}\r\n\r\n`,
    );
    socket.end(wav);
    await closed;
    expect(await isStored(slot)).toBe(false);
    expect((await put(slot.signed_url, wav)).status).toBe(200);
  });

  it('refuses an empty file, a range of a file and a compressed file', async () => {
    const { slot } = await newSlot();
    expect((await put(slot.signed_url, new Uint8Array(0))).status).toBe(400);
    expect((await put(slot.signed_url, wav, { 'content-range': `bytes 0-99/${wav.length}` })).status).toBe(
      400,
    );
    expect((await put(slot.signed_url, wav, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await put(slot.signed_url, wav)).status).toBe(200);
  });

  it('works once: later uploads are 409, also after the analysis was created', async () => {
    const { slot, client } = await newSlot();
    await put(slot.signed_url, wav);
    const other = makeWav({ seconds: 1, toneHz: 330 });
    expect(await put(slot.signed_url, other)).toMatchObject({
      status: 409,
      body: { code: 'object_already_uploaded' },
    });
    await client.post('/v1/analyses', { storage_object_id: slot.id });
    expect((await put(slot.signed_url, other)).status).toBe(409);
    expect(await storedSha256(slot)).toBe(sha256Hex(wav));
  });

  it('keeps one of twenty concurrent uploads, complete', async () => {
    const { slot } = await newSlot();
    const files = Array.from({ length: 20 }, (_, index) => makeWav({ seconds: 1, toneHz: 200 + index }));
    const answers = await Promise.all(files.map((file) => put(slot.signed_url, file)));
    const kept = answers.filter((answer) => answer.status === 200);
    expect(kept).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19);
    expect(kept[0]?.body.sha256).toBe(await storedSha256(slot));
  });

  it('refuses bytes that do not match their Content-Digest, and can then be used again', async () => {
    const { slot } = await newSlot();
    const digestOf = (bytes: Uint8Array) =>
      `sha-256=:${Buffer.from(sha256Hex(bytes), 'hex').toString('base64')}:`;
    const wrong = await put(slot.signed_url, wav, { 'content-digest': digestOf(new Uint8Array(3)) });
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['header', 'content-digest'] }] } });
    expect(await isStored(slot)).toBe(false);
    expect((await put(slot.signed_url, wav, { 'content-digest': digestOf(wav) })).status).toBe(200);
  });
});

describe('the file of an analysis', () => {
  it('is served to its workspace only, as an attachment', async () => {
    const { slot, client } = await newSlot();
    await put(slot.signed_url, wav);
    const job = await client.post<{ id: string }>('/v1/analyses', { storage_object_id: slot.id });
    const path = `/v1/analyses/${job.body.id}/artifacts/source`;
    const file = await client.send(path, { method: 'HEAD' });
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(wav.length),
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('no-store'),
    });
    const { client: stranger } = await newSlot();
    expect((await stranger.get(path)).status).toBe(404);
    expect((await createTestClient(service.url).get(path)).status).toBe(401);
  });

  it('is served in ranges, for players that seek', async () => {
    const { slot, client } = await newSlot();
    await put(slot.signed_url, wav);
    const job = await client.post<{ id: string }>('/v1/analyses', { storage_object_id: slot.id });
    const path = `/v1/analyses/${job.body.id}/artifacts/source`;
    const part = await client.send(path, { method: 'HEAD', headers: { range: 'bytes=4-9' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-9/${wav.length}`]);
    expect(part.headers.get('content-length')).toBe('6');
    const beyond = await client.send(path, { headers: { range: `bytes=${wav.length}-` } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${wav.length}`]);
  });
});

describe('an object', () => {
  it('is not deleted while an analysis needs it, and cannot be used after its deletion', async () => {
    const { slot, client } = await newSlot();
    await put(slot.signed_url, wav);
    const job = await client.post<Job>('/v1/analyses', { storage_object_id: slot.id });
    expect(await deleteUnneededObject(ctx, slot.id)).toBe(false);
    expect((await client.post(`/v1/analyses/${job.body.id}/cancel`)).status).toBe(200);
    expect(await isStored(slot)).toBe(false);
    const again = await client.post('/v1/analyses', { storage_object_id: slot.id });
    expect(again).toMatchObject({ status: 409, body: { code: 'object_not_uploaded' } });
  });

  it('is kept while one of its analyses remains and the others are canceled at once', async () => {
    const { slot, client } = await newSlot();
    await put(slot.signed_url, wav);
    const jobs = await Promise.all(
      Array.from({ length: 5 }, () => client.post<Job>('/v1/analyses', { storage_object_id: slot.id })),
    );
    await Promise.all(jobs.slice(1).map((job) => client.post(`/v1/analyses/${job.body.id}/cancel`)));
    expect(await isStored(slot)).toBe(true);
  });

  it('that was never uploaded is swept when its slot expired more than an hour ago', async () => {
    const { slot } = await newSlot();
    const left = () => db.query('select 1 from storage_objects where id = $1', [slot.id]);
    now = new Date(Date.parse(slot.expires_at) + HOUR_MS);
    await sweepExpiredSlots(ctx);
    expect(await left()).toHaveLength(1);
    now = new Date(now.getTime() + 1);
    await sweepExpiredSlots(ctx);
    expect(await left()).toEqual([]);
  });

  it('that was uploaded more than a day ago and never analysed is deleted', async () => {
    const { slot } = await newSlot();
    await put(slot.signed_url, wav);
    await db.query('update storage_objects set stored_at = $2 where id = $1', [slot.id, now]);
    now = new Date(now.getTime() + DAY_MS);
    await sweepUnneededObjects(ctx);
    expect(await isStored(slot)).toBe(true);
    now = new Date(now.getTime() + 1);
    await sweepUnneededObjects(ctx);
    expect(await isStored(slot)).toBe(false);
  });
});

describe('a file that cannot be deleted', () => {
  const failing = (key: string) => ({
    ...ctx,
    storage: {
      ...ctx.storage,
      delete: async (requestedKey: string) => {
        if (requestedKey === key) throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
        await ctx.storage.delete(requestedKey);
      },
    },
  });

  it('does not prevent other slots from being swept', async () => {
    const [stuck, other] = [(await newSlot()).slot, (await newSlot()).slot];
    now = new Date(now.getTime() + 2 * HOUR_MS);
    await sweepExpiredSlots(failing(stuck.key));
    const left = await db.query('select id from storage_objects where id = any ($1)', [[stuck.id, other.id]]);
    expect(left).toEqual([{ id: stuck.id }]);
    await sweepExpiredSlots(ctx);
    expect(await db.query('select id from storage_objects where id = $1', [stuck.id])).toEqual([]);
  });

  it('does not prevent other unused files from being swept', async () => {
    const slots = [(await newSlot()).slot, (await newSlot()).slot];
    for (const slot of slots) await put(slot.signed_url, wav);
    await db.query(`update storage_objects set stored_at = now() - interval '2 days' where id = any ($1)`, [
      slots.map(({ id }) => id),
    ]);
    // `stored_at` is on the clock of the database, which may be ahead of this one.
    now = new Date(Math.max(now.getTime(), Date.now()));
    for (const stuck of slots) await sweepUnneededObjects(failing(stuck.key));
    expect([await isStored(slots[0]!), await isStored(slots[1]!)]).toEqual([false, false]);
  });
});

describe('a submission by the SDK that was killed during its upload', () => {
  it.each([
    ['has expired', 16],
    ['was swept away', 120],
  ])('creates exactly one job when it is repeated after its slot %s', async (_, minutesLater) => {
    const { member } = await newCustomer();
    const { 'x-api-key': apiKey } = await keyHeaders(member);
    const submit = (send: typeof fetch = fetch) =>
      new Earshot({ apiKey, baseUrl: service.url, retriesMax: 0, fetch: send }).analyses.create({
        file: new Blob([new Uint8Array(wav)]),
        idempotencyKey: 'song-1',
      });
    const killed = submit(async (url, init) => {
      if (init?.method === 'PUT') throw new Error('killed');
      return fetch(url, init);
    });
    await expect(killed).rejects.toThrow(ConnectionError);
    now = new Date(now.getTime() + minutesLater * 60_000);
    await sweepExpiredSlots(ctx);
    const job = await submit();
    expect(job.data.idempotent_replay).toBe(false);
    expect((await submit()).id).toBe(job.id);
    // Canceling deletes the file; the idempotency key still finds the job.
    await job.cancel();
    now = new Date(now.getTime() + minutesLater * 60_000);
    expect((await submit()).id).toBe(job.id);
  });
});

describe('an object store with presigned URLs', () => {
  const presigned = 'https://bucket.s3.example.com/uploads/x?X-Amz-Signature=y';
  let statCount = 0;
  const storage = {
    ...ctx.storage,
    presignPut: async () => ({ url: presigned, headers: {} }),
    stat: async (key: string) => {
      statCount += 1;
      // Slow like a real store, so that concurrent transactions overlap here.
      await delay(50);
      return ctx.storage.stat(key);
    },
  };
  const remote = { ...ctx, storage };

  async function newRemoteSlot() {
    const member = { ...(await createTestMember(remote)), storage };
    const slot = await db.transaction((tx) =>
      openUploadSlot(member, tx, { contentType: 'audio/wav', fileName: 'a.wav' }),
    );
    const useIt = () =>
      db.transaction((tx) =>
        createAnalyses(member, tx, {
          surface: 'workspace',
          items: [{ ...PLAIN_ANALYSIS, source: { storageObjectId: slot.id } }],
        }),
      );
    const usedBytes = async () => (await readStorageUse(ctx, db, member.actor.workspaceId)).usedBytes;
    return { slot, useIt, usedBytes };
  }
  const putDirectly = (key: string, bytes: Uint8Array) =>
    ctx.storage.put(key, Readable.from([bytes]), { bytesMax: 10 * BYTES_MAX, contentType: 'audio/wav' });

  it('is checked for the file when the slot is first used, and counts by its maximum size until then', async () => {
    const { slot, useIt, usedBytes } = await newRemoteSlot();
    expect([slot.signedUrl, await usedBytes()]).toEqual([presigned, BYTES_MAX]);
    await expect(useIt()).rejects.toMatchObject({ code: 'object_not_uploaded' });
    await putDirectly(slot.key, wav);
    const [analysis] = await useIt();
    expect(analysis).toMatchObject({ storageObjectId: slot.id, fileName: 'a.wav' });
    expect(await usedBytes()).toBe(wav.length);
  });

  it('is checked once for a file that six analyses use at once, without a deadlock', async () => {
    const { slot, useIt } = await newRemoteSlot();
    await putDirectly(slot.key, wav);
    statCount = 0;
    // Opens six connections, so that the transactions start together.
    await Promise.all(Array.from({ length: 6 }, () => db.query('select pg_sleep(0.1)')));
    const used = await Promise.all(Array.from({ length: 6 }, useIt));
    expect(new Set(used.flat().map(({ id }) => id)).size).toBe(6);
    expect(statCount).toBe(1);
  });

  it('cannot be used to exceed the maximum size', async () => {
    const [fitting, large] = [await newRemoteSlot(), await newRemoteSlot()];
    await putDirectly(fitting.slot.key, new Uint8Array(BYTES_MAX));
    await putDirectly(large.slot.key, new Uint8Array(BYTES_MAX + 1));
    expect(await fitting.useIt()).toHaveLength(1);
    await expect(large.useIt()).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});
