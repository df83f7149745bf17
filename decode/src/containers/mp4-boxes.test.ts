import { describe, expect, it, vi } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { box, u32 } from '../test/mp4-bytes.ts';
import { findBox, readBoxes, readFileBoxes } from './mp4-boxes.ts';

/** The name `wide` in ASCII, with a size of 1: the true size of 64 bits follows. */
const largeBox = (bytes: number, ...body: number[]) => [
  ...u32(1),
  ...[0x77, 0x69, 0x64, 0x65],
  ...u32(0, bytes),
  ...body,
];
const sizeZero = (type: string, ...body: number[]) => [0, 0, 0, 0, ...box(type).slice(4), ...body];

describe('readBoxes', () => {
  const read = (bytes: number[]) => {
    const onTruncated = vi.fn();
    const boxes = [...readBoxes(Uint8Array.from(bytes), onTruncated)];
    return {
      boxes: boxes.map(({ type, body }) => [type, ...body]),
      isTruncated: onTruncated.mock.calls.length > 0,
    };
  };

  it.each<[string, number[], (string | number)[][], boolean]>([
    ['boxes one after another', [...box('aaaa', [1, 2]), ...box('bbbb')], [['aaaa', 1, 2], ['bbbb']], false],
    [
      'a 64-bit size',
      [...largeBox(18, 1, 2), ...box('bbbb', [3])],
      [
        ['wide', 1, 2],
        ['bbbb', 3],
      ],
      false,
    ],
    ['a size of 0, which extends to the end', sizeZero('last', 1, 2, 3), [['last', 1, 2, 3]], false],
    ['up to a size smaller than the header', [...box('aaaa'), ...u32(7), 1, 2, 3, 4], [['aaaa']], false],
    ['up to a 64-bit size smaller than its header', [...box('aaaa'), ...largeBox(15)], [['aaaa']], false],
    [
      'up to a 64-bit size that is cut off',
      [...box('aaaa'), ...largeBox(20).slice(0, 12)],
      [['aaaa']],
      false,
    ],
    ['up to a box longer than the rest', [...box('aaaa'), ...u32(9), 1, 2, 3, 4], [['aaaa']], true],
  ])('reads %s', (_, bytes, boxes, isTruncated) => {
    expect(read(bytes)).toEqual({ boxes, isTruncated });
  });

  it('stops at 100,000 boxes and reports it', () => {
    const emptyBoxes = Buffer.alloc(8 * 100_001, Buffer.from(box('free')));
    const onTruncated = vi.fn();
    expect([...readBoxes(emptyBoxes.subarray(8), onTruncated)]).toHaveLength(100_000);
    expect(onTruncated).not.toHaveBeenCalled();
    expect([...readBoxes(emptyBoxes, onTruncated)]).toHaveLength(100_000);
    expect(onTruncated).toHaveBeenCalledOnce();
  });
});

describe('readFileBoxes', () => {
  it('gives the place of each box, and the end of the file for one that is cut off', () => {
    const file = memorySource(Uint8Array.from([...box('aaaa', [1]), ...largeBox(20, 1, 2)]));
    expect([...readFileBoxes(file)]).toEqual([
      { type: 'aaaa', start: 0, bodyStart: 8, end: 9, isTruncated: false },
      { type: 'wide', start: 9, bodyStart: 25, end: 27, isTruncated: true },
    ]);
  });

  it('extends a box with a size of 0 to the end of the file', () => {
    const file = memorySource(Uint8Array.from([...box('aaaa'), ...sizeZero('mdat', 1, 2)]));
    expect([...readFileBoxes(file)].at(-1)).toMatchObject({ type: 'mdat', end: 18, isTruncated: false });
  });
});

describe('findBox', () => {
  const bytes = Uint8Array.from([
    ...box('moov', box('trak', [1]), box('trak', [2]), box('udta', box('meta', [3]))),
    ...box('moov', box('free', [4])),
  ]);

  it('takes the first box of each type on the path', () => {
    expect(findBox(bytes, 'moov', 'trak')).toEqual(Uint8Array.of(1));
    expect(findBox(bytes, 'moov', 'udta', 'meta')).toEqual(Uint8Array.of(3));
  });

  it('gives null if a box is missing, even where a later box of the same type has it', () => {
    expect(findBox(bytes, 'moov', 'free')).toBeNull();
    expect(findBox(bytes, 'trak')).toBeNull();
  });
});
