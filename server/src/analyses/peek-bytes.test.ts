import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { peekBytes } from './peek-bytes.ts';

async function* chunksOf(...chunks: number[][]) {
  for (const chunk of chunks) yield Uint8Array.from(chunk);
}

const readAll = async (stream: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Readable.from(stream).toArray()).toJSON().data;

it.each([
  ['within a chunk', 2, [1, 2]],
  ['at the end of a chunk', 3, [1, 2, 3]],
  ['across chunks', 4, [1, 2, 3, 4]],
  ['beyond the end of the stream', 9, [1, 2, 3, 4, 5]],
])('gives the first bytes, and then the whole stream: %s', async (_, byteCount, head) => {
  const peeked = await peekBytes(chunksOf([1, 2, 3], [4, 5]), byteCount);
  expect([...peeked.head]).toEqual(head);
  expect(await readAll(peeked.whole)).toEqual([1, 2, 3, 4, 5]);
});

it('reads no further than it has to', async () => {
  let readCount = 0;
  async function* counted() {
    for (const byte of [1, 2, 3]) {
      readCount += 1;
      yield Uint8Array.of(byte);
    }
  }
  await peekBytes(counted(), 2);
  expect(readCount).toBe(2);
});

it('closes the source when its reader stops early', async () => {
  let isClosed = false;
  async function* source() {
    try {
      yield Uint8Array.of(1);
      yield Uint8Array.of(2);
    } finally {
      isClosed = true;
    }
  }
  const { whole } = await peekBytes(source(), 1);
  for await (const _ of whole) break;
  expect(isClosed).toBe(true);
});
