import { expect, it } from 'vitest';
import { box, readBoxes } from './mp4-boxes.ts';
import { TagsUnavailable } from './song-tags.ts';

/** A box header: 32-bit size, type, and the 64-bit size where there is one. */
function header(size: number, type: string, wideSize?: bigint): Buffer {
  const bytes = Buffer.alloc(wideSize === undefined ? 8 : 16);
  bytes.writeUInt32BE(size);
  bytes.write(type, 4, 'latin1');
  if (wideSize !== undefined) bytes.writeBigUInt64BE(wideSize, 8);
  return bytes;
}
const body = Buffer.from('body');
const read = (...parts: Uint8Array[]) =>
  readBoxes(Buffer.concat(parts)).map(({ type, start, end, body }) => [
    type,
    start,
    end,
    Buffer.from(body).toString(),
  ]);

it('reads boxes with 32-bit and 64-bit sizes, and one of size 0 that extends to the end', () => {
  expect(read(box('free', body), header(1, 'mdat', 20n), body, header(0, 'moov'), body, body)).toEqual([
    ['free', 0, 12, 'body'],
    ['mdat', 12, 32, 'body'],
    ['moov', 32, 48, 'bodybody'],
  ]);
});

it('ignores the four zero bytes that end a list of QuickTime', () => {
  expect(read(box('free', body), Buffer.alloc(4))).toEqual([['free', 0, 12, 'body']]);
});

it.each([
  ['smaller than its header', [header(7, 'free'), body]],
  ['larger than the file', [header(13, 'free'), body]],
  ['64-bit and smaller than its header', [header(1, 'free', 15n), body]],
])('refuses a box whose size is %s', (_, parts) => {
  expect(() => read(...parts)).toThrow(TagsUnavailable);
});
