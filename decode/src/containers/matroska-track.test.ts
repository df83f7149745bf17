import { describe, expect, it } from 'vitest';
import { splitLaces } from './matroska-track.ts';

const packets = (block: number[], lacing: number) =>
  splitLaces(Uint8Array.from(block), lacing)?.map((packet) => [...packet]) ?? null;

describe('splitLaces', () => {
  it('gives one packet without lacing', () => {
    expect(packets([7, 8, 9], 0)).toEqual([[7, 8, 9]]);
  });

  it('Xiph lacing lists all sizes but the last, as bytes that are added up to the first below 255', () => {
    const long = new Array(256).fill(5);
    expect(packets([2, 255, 1, 2, ...long, 6, 6, 7], 1)).toEqual([long, [6, 6], [7]]);
  });

  it('fixed lacing divides a block into equal parts', () => {
    expect(packets([1, 1, 2, 3, 4], 2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(packets([1, 1, 2, 3], 2)).toBeNull();
  });

  it('EBML lacing lists the first size, then signed differences', () => {
    // 0x82 is 2; 0xC0 is 64, one more than the middle of 0..126.
    expect(packets([2, 0x82, 0xc0, 1, 1, 2, 2, 2, 3], 3)).toEqual([[1, 1], [2, 2, 2], [3]]);
  });

  it('gives null for sizes beyond the block', () => {
    expect(packets([1, 200, 1, 2], 1)).toBeNull();
    expect(packets([2, 0x82, 0x80, 1], 3)).toBeNull();
  });
});
