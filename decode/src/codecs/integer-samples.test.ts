import { expect, it } from 'vitest';
import { floatsOf, integerRescaler } from './integer-samples.ts';

it.each([
  [16, [-32_768, -1, 0, 16_384, 32_767], [-1, -1 / 32_768, 0, 0.5, 32_767 / 32_768]],
  [24, [-8_388_608, 1], [-1, 1 / 8_388_608]],
  // A float has 24 bits: 2^30 + 1 needs 31.
  [32, [-(2 ** 31), 2 ** 30 + 1], [-1, 0.5]],
])('integers of %i bits become floats of full scale 1', (bitDepth, integers, floats) => {
  expect([...floatsOf(Float64Array.from(integers), bitDepth)]).toEqual(floats);
});

it.each([
  [16, 0],
  [24, 0],
  // 16 bits in 24: the package counts the eight zeros below them as bits of the sample.
  [16, 8],
])(
  'samples that a package has scaled by its own rule become those of ours, at %i bits above %i zeros',
  (bitDepth, zeroBits) => {
    const scale = 2 ** (bitDepth - 1);
    const integers = [-scale, -1, 0, 1, 12_345, scale - 1];
    const ofPackage = integers.map((value) => (value * 2 ** zeroBits) / (value > 0 ? scale - 1 : scale));
    const [rescaled] = integerRescaler(bitDepth, zeroBits)([Float32Array.from(ofPackage)]);
    expect(rescaled).toEqual(Float32Array.from(integers, (value) => value / scale));
  },
);
