import { createHash } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { startS3StandIn } from './s3-stand-in.ts';

const store = await startS3StandIn(createRandom('s3'));
afterAll(() => store.close());

const bytes = Buffer.from('some audio');
const sha256 = createHash('sha256').update(bytes).digest('hex');

function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<Response> {
  const init = {
    method,
    headers: { authorization: 'signed', ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  };
  return fetch(`${store.env.S3_ENDPOINT}/${store.env.S3_BUCKET}/${path}`, init);
}

it('stores an object once, with its hash, until it is deleted', async () => {
  const headers = { 'if-none-match': '*', 'x-amz-content-sha256': sha256, 'x-amz-meta-sha256': sha256 };
  expect((await call('PUT', 'a/b', headers, bytes)).status).toBe(200);
  expect((await call('PUT', 'a/b', headers, bytes)).status).toBe(412);
  const got = await call('GET', 'a/b');
  expect([got.status, got.headers.get('x-amz-meta-sha256'), await got.text()]).toEqual([
    200,
    sha256,
    'some audio',
  ]);
  expect((await call('DELETE', 'a/b')).status).toBe(204);
  expect((await call('HEAD', 'a/b')).status).toBe(404);
});

it('refuses a request without a signature, and bytes that do not match the signed hash', async () => {
  expect((await fetch(`${store.env.S3_ENDPOINT}/${store.env.S3_BUCKET}/x`)).status).toBe(403);
  const headers = { 'x-amz-content-sha256': sha256 };
  expect((await call('PUT', 'x', headers, Buffer.from('other'))).status).toBe(400);
});

// Each fault has a probability of 1/14 a request: that 200 requests miss one has a chance of 4 in 10 million, and the seed is fixed.
const REQUEST_COUNT = 200;

it('causes every kind of fault when it misbehaves, and none when calm', async () => {
  await call('PUT', 'c', { 'x-amz-meta-sha256': sha256 }, bytes);
  store.misbehave();
  const seen = new Set<string>();
  for (let count = 0; count < REQUEST_COUNT; count += 1) {
    const read = await call('GET', 'c').then(
      async (response) => `${response.status} ${await response.text().catch(() => 'cut short')}`,
      () => 'reset',
    );
    const key = `put-${count}`;
    const write = await call('PUT', key, {}, bytes).then(
      ({ status }) => `put ${status}`,
      () => `put reset, ${store.objects.has(key) ? 'stored' : 'not stored'}`,
    );
    seen.add(read).add(write);
  }
  expect([...seen].sort()).toEqual([
    '200 XXXXXXXXXX',
    '200 cut short',
    '200 some audio',
    '500 <Error><Code>InternalError</Code></Error>',
    '503 <Error><Code>SlowDown</Code></Error>',
    'put 200',
    'put 500',
    'put 503',
    'put reset, not stored',
    'put reset, stored',
    'reset',
  ]);
  store.calm();
  for (let count = 0; count < REQUEST_COUNT; count += 1)
    expect(await (await call('GET', 'c')).text()).toBe('some audio');
});

it('counts no damage of a read that finds no object', async () => {
  store.misbehave();
  const before = { ...store.faults };
  for (let count = 0; count < REQUEST_COUNT; count += 1) await call('GET', 'absent').catch(() => {});
  store.calm();
  const { damaged, 'cut short': cutShort } = store.faults;
  expect([damaged, cutShort]).toEqual([before.damaged, before['cut short']]);
});
