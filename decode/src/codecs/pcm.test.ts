import { expect, it } from 'vitest';
import { deinterleave, type PcmEncoding } from './pcm.ts';

/** Whole files are tested in containers/wav.test.ts and containers/pcm-containers.test.ts. */

/** The stored values are those of the decision tables of ITU-T G.711, in units of 1 / 32,768. */
it.each<[PcmEncoding['kind'], number, number]>([
  ['alaw', 0xd5, 8],
  ['alaw', 0x55, -8],
  ['alaw', 0xda, 248],
  // The first of the second segment, whose steps are as large, and of the third, whose steps are twice as large.
  ['alaw', 0xc5, 264],
  ['alaw', 0xf5, 528],
  ['alaw', 0xaa, 32_256],
  ['mulaw', 0xff, 0],
  ['mulaw', 0xfe, 8],
  ['mulaw', 0x7e, -8],
  ['mulaw', 0xf0, 120],
  ['mulaw', 0xef, 132],
  ['mulaw', 0x80, 32_124],
])('%s code %i is %i', (kind, code, value) => {
  const encoding = { kind, bytesPerSample: 1, bigEndian: false };
  expect(deinterleave(Uint8Array.of(code), encoding, 1)).toEqual([Float32Array.of(value / 32_768)]);
});

it('samples are taken at their stride, and an incomplete one at the end is dropped', () => {
  const encoding: PcmEncoding = { kind: 'signed', bytesPerSample: 1, bigEndian: false };
  // Two channels and a byte of padding.
  const bytes = Uint8Array.of(64, 32, 99, 0xc0, 0xe0, 99, 64, 32);
  expect(deinterleave(bytes, encoding, 2, 3)).toEqual([
    Float32Array.of(0.5, -0.5),
    Float32Array.of(0.25, -0.25),
  ]);
});
