import { expect, it } from 'vitest';
import { decodeMagnitudes, encodeMagnitudes } from './compact-float.ts';

function roundTrip(values: Float32Array): Float32Array {
  const codes = new Uint16Array(values.length);
  const decoded = new Float32Array(values.length);
  encodeMagnitudes(values, codes, 0);
  decodeMagnitudes(codes, 0, codes.length, decoded);
  return decoded;
}

it('keeps magnitudes to within one part in 2048', () => {
  const values = Float32Array.from({ length: 6000 }, (_, i) => 1.37 * 10 ** (-9 + (18 * i) / 6000));
  const decoded = roundTrip(values);
  const worst = values.reduce((error, value, i) => Math.max(error, Math.abs(decoded[i]! - value) / value), 0);
  // Half a step of a ten-bit mantissa; a bound of 2 ** -12 would need eleven bits.
  expect(worst).toBeLessThanOrEqual(2 ** -11);
  expect(worst).toBeGreaterThan(2 ** -12);
});

it('keeps zero and one, rounds inaudible values to zero, and clamps to the largest code', () => {
  const [zero, tiny, one, huge] = roundTrip(Float32Array.from([0, 1e-20, 1, 1e30]));
  // The largest code is one step of 2^-10 below the next power of two.
  expect([zero, tiny, one, huge]).toEqual([0, 0, 1, 2 ** 32 - 2 ** 21]);
});
