import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { S3_KEYS, startS3StandIn } from '../test/s3-stand-in.ts';
import { sha256Hex } from './crypto.ts';
import { ObjectDamaged } from './s3-retries.ts';
import { ObjectMissing } from './storage.ts';
import { createS3Storage } from './storage-s3.ts';
import { HOUR_MS } from './time-units.ts';

const s3 = await startS3StandIn();
const folder = await mkdtemp(join(tmpdir(), 'earshot-s3-'));
const config = { ...S3_KEYS, endpoint: s3.endpoint, bucket: 'bucket', forcePathStyle: true };
const storage = await createS3Storage(config, folder);
const audio = { bytesMax: 100, contentType: 'audio/wav' };

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  s3.objects.clear();
  s3.nextAnswers.length = 0;
  s3.requests.length = 0;
});

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('put', () => {
  it('stores bytes, type and hash with a valid signature', async () => {
    expect(await storage.put('uploads/obj_1', chunks('a', 'bc'), audio)).toEqual({
      byteSize: 3,
      sha256: sha256Hex('abc'),
    });
    const object = s3.objects.get('uploads/obj_1');
    expect(object?.bytes.toString()).toBe('abc');
    expect(object?.headers).toEqual({ 'content-type': 'audio/wav', 'x-amz-meta-sha256': sha256Hex('abc') });
    expect(await readdir(folder)).toEqual([]);
  });

  it('sends nothing of an object that is too large', async () => {
    const source = chunks('x'.repeat(60), 'x'.repeat(60));
    await expect(storage.put('uploads/obj_2', source, audio)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect([s3.requests, await readdir(folder)]).toEqual([[], []]);
  });

  it('never replaces an object', async () => {
    await storage.put('uploads/obj_3', chunks('first'), audio);
    await expect(storage.put('uploads/obj_3', chunks('second'), audio)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(s3.objects.get('uploads/obj_3')?.bytes.toString()).toBe('first');
  });

  it('retries after 503 and broken connections, and recognizes the object of its own earlier try', async () => {
    s3.nextAnswers.push(null, 503, 'cut before', 'cut after');
    expect(await storage.put('uploads/obj_4', chunks('abc'), audio)).toMatchObject({ byteSize: 3 });
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(4);
  });

  it('is unavailable after four failures', async () => {
    s3.nextAnswers.push(null, 503, 503, 503, 503);
    await expect(storage.put('uploads/obj_5', chunks('abc'), audio)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('omits the condition for a store that does not support it, and still never replaces an object', async () => {
    const plain = await createS3Storage(config, folder);
    s3.nextAnswers.push(null, 501);
    await plain.put('uploads/obj_7', chunks('first'), audio);
    await plain.put('uploads/obj_8', chunks('other'), audio);
    // The first put is repeated without the condition; the next one omits it from the start.
    expect(s3.requests.map((line) => line.split(' ')[0])).toEqual(['HEAD', 'PUT', 'PUT', 'HEAD', 'PUT']);
    await expect(plain.put('uploads/obj_7', chunks('second'), audio)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(s3.objects.get('uploads/obj_7')?.bytes.toString()).toBe('first');
  });

  it('does not replace an object in such a store when the first look at it fails', async () => {
    const plain = await createS3Storage(config, folder);
    s3.nextAnswers.push(null, 501);
    await plain.put('uploads/obj_9', chunks('first'), audio);
    s3.nextAnswers.push(503);
    await expect(plain.put('uploads/obj_9', chunks('second'), audio)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(s3.objects.get('uploads/obj_9')?.bytes.toString()).toBe('first');
  });

  it('fails when the bucket does not exist, which the store says with 404', async () => {
    s3.nextAnswers.push(null, 404);
    await expect(storage.put('uploads/obj_10', chunks('abc'), audio)).rejects.toThrow(/PUT with 404/);
  });

  it('does not retry a request that the store refuses', async () => {
    const stranger = await createS3Storage({ ...config, secretAccessKey: 'wrong' }, folder);
    await expect(stranger.put('uploads/obj_6', chunks('abc'), audio)).rejects.toThrow(/403/);
    expect(s3.requests).toHaveLength(1);
  });
});

describe('reading', () => {
  it('copies the object to a local file that release removes', async () => {
    await storage.put('uploads/obj_1', chunks('abc'), audio);
    const file = await storage.openFile('uploads/obj_1');
    expect([file.byteSize, await readFile(file.path, 'utf8')]).toEqual([3, 'abc']);
    await file.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('streams the object or a range of it', async () => {
    await storage.put('uploads/obj_1', chunks('abc'), audio);
    const { stream, byteSize } = await storage.read('uploads/obj_1');
    expect([byteSize, (await stream.toArray()).join('')]).toEqual([3, 'abc']);
    const part = await storage.read('uploads/obj_1', { firstByte: 1, lastByte: 2 });
    expect([part.byteSize, (await part.stream.toArray()).join('')]).toEqual([2, 'bc']);
  });

  it('refuses bytes that changed in the store', async () => {
    await storage.put('uploads/obj_1', chunks('abc'), audio);
    const object = s3.objects.get('uploads/obj_1');
    if (object) object.bytes = Buffer.from('abd');
    await expect(storage.openFile('uploads/obj_1')).rejects.toThrow(ObjectDamaged);
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses an answer without a Content-Length', async () => {
    await storage.put('uploads/obj_1', chunks('abc'), audio);
    for (const ask of [storage.read, storage.stat, storage.openFile]) {
      s3.nextAnswers.push('without length');
      await expect(ask('uploads/obj_1')).rejects.toThrow(/without a content-length/);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a missing object', async () => {
    expect(await storage.stat('uploads/none')).toBeNull();
    await expect(storage.read('uploads/none')).rejects.toThrow(ObjectMissing);
    await expect(storage.openFile('uploads/none')).rejects.toThrow(ObjectMissing);
    await storage.delete('uploads/none');
  });

  it('removes temporary files older than a day when it is opened', async () => {
    const writtenAt = new Date(Date.now() - 25 * HOUR_MS);
    for (const name of ['old', 'young']) await writeFile(join(folder, name), 'x');
    await utimes(join(folder, 'old'), writtenAt, writtenAt);
    await createS3Storage(config, folder);
    expect(await readdir(folder)).toEqual(['young']);
    await rm(join(folder, 'young'));
  });
});

describe('presignPut', () => {
  const put = async (url: string, contentType: string) =>
    (await fetch(url, { method: 'PUT', body: 'abc', headers: { 'content-type': contentType } })).status;
  const sign = (lifetimeSeconds: number) =>
    storage.presignPut('uploads/obj_7', { contentType: 'audio/mpeg', lifetimeSeconds });

  it('allows a PUT of this type to this key', async () => {
    const { url } = (await sign(60))!;
    expect(await put(url, 'audio/mpeg')).toBe(200);
    expect(s3.objects.get('uploads/obj_7')?.bytes.toString()).toBe('abc');
  });

  it('allows no other type, no other key, and nothing after its expiry', async () => {
    const { url } = (await sign(60))!;
    expect(await put(url, 'text/html')).toBe(403);
    expect(await put(url.replace('obj_7', 'obj_8'), 'audio/mpeg')).toBe(403);
    expect(await put((await sign(-1))!.url, 'audio/mpeg')).toBe(403);
    expect(s3.objects.size).toBe(0);
  });
});

it('puts the bucket into the host name without forcePathStyle', async () => {
  const hosted = await createS3Storage(
    { ...config, endpoint: 'http://s3.example.com', forcePathStyle: false },
    folder,
  );
  const presigned = await hosted.presignPut('uploads/obj_1', {
    contentType: 'audio/wav',
    lifetimeSeconds: 60,
  });
  expect(presigned?.url).toMatch(/^http:\/\/bucket\.s3\.example\.com\/uploads\/obj_1\?/);
});
