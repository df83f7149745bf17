import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { takeEagerly } from './eager-body.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}
const streamOf = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

describe('takeEagerly', () => {
  it('gives all of a stream that stays within the limit', async () => {
    const body = takeEagerly(streamOf('one', 'two'), 6);
    expect([await collect(body.chunks), body.cutOff]).toEqual(['onetwo', false]);
  });

  it('cuts at the limit and says so', async () => {
    const body = takeEagerly(streamOf('one', 'two', 'three'), 5);
    expect([await collect(body.chunks), body.cutOff]).toEqual(['onetw', true]);
  });

  it('throws what broke the stream off', async () => {
    const broken = new Readable({ read() {} });
    const body = takeEagerly(broken, 100);
    broken.push(Buffer.from('half'));
    broken.destroy(new Error('reset'));
    await expect(collect(body.chunks)).rejects.toThrow('reset');
  });
});

describe('a server that closes while its answer is read slowly', () => {
  const bytes = Buffer.alloc(2_000_000, 7);
  const server = createServer((_request, response) => response.end(bytes));
  afterAll(() => server.close());

  it('costs nobody anything: this used to end the process', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const guardedFetch = createGuardedFetch({ allowPrivateTargets: ['127.0.0.1/32'], allowedPorts: [] });
    for (let round = 0; round < 5; round++) {
      const { body } = await guardedFetch({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        method: 'GET',
        redirectsMax: 0,
        connectTimeoutMs: 1_000,
        totalTimeoutMs: 10_000,
        responseBytesMax: 3_000_000,
        onTooLong: 'fail',
      });
      let received = 0;
      for await (const chunk of body) {
        received += chunk.byteLength;
        await delay(1);
      }
      expect(received).toBe(bytes.length);
    }
  });
});
