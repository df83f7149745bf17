import { describe, expect, it } from 'vitest';
import { element } from '../test/ebml-bytes.ts';
import { memorySource } from '../test/memory-source.ts';
import { findMatroskaTrack, splitLaces } from './matroska-track.ts';

describe('findMatroskaTrack', () => {
  const zeros = (count: number) => new Array(count).fill(0);

  it.each<[string, number[], object]>([
    ['A_AAC', [7, 8], { codec: 'aac', specificConfig: Uint8Array.of(7, 8) }],
    ['A_AAC\0\0', [7, 8], { codec: 'aac', specificConfig: Uint8Array.of(7, 8) }],
    ['A_ALAC', [7, 8], { codec: 'alac', cookie: Uint8Array.of(7, 8) }],
    // After the name OpusHead and its version, and after fLaC and the header of a block.
    ['A_OPUS', [...zeros(9), 7, 8], { codec: 'opus', fields: Uint8Array.of(7, 8), littleEndian: true }],
    ['A_FLAC', [...zeros(8), 7, 8], { codec: 'flac', streamInfo: Uint8Array.of(7, 8) }],
    // Two lengths, for headers of one and two bytes; the third is the rest.
    [
      'A_VORBIS',
      [2, 1, 2, 7, 8, 8, 9, 9, 9],
      { codec: 'vorbis', identification: Uint8Array.of(7), setup: Uint8Array.of(9, 9, 9) },
    ],
    ['A_MPEG/L1', [], { codec: 'mpeg' }],
    ['A_MPEG/L3', [], { codec: 'mpeg' }],
    ['A_AC3', [], { codec: 'ac3' }],
    ['A_EAC3', [], { codec: 'ac3' }],
    ['A_DTS', [], { codec: 'dts' }],
    ['A_DTS/EXPRESS', [], { codec: 'dts' }],
    ['A_MPEG/L4', [], { codec: 'unknown', name: 'A_MPEG/L4' }],
  ])('reads %j', (name, setup, config) => {
    const bytes = Uint8Array.from(
      element(
        [0xae],
        element([0xd7], [5]),
        element([0x83], [2]),
        element([0x86], [...Buffer.from(name, 'latin1')]),
        element([0x63, 0xa2], setup),
      ),
    );
    const track = findMatroskaTrack(memorySource(bytes), { bodyStart: 0, end: bytes.length });
    expect([track.number, track.delayNs, track.config]).toEqual([5, 0, config]);
  });
});

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
