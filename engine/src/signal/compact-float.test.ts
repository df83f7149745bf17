import { expect, it } from 'vitest';
import { decodeMagnitudes, encodeMagnitudes } from './compact-float.ts';
import { copyFrames, FrameMatrixBuilder } from './frame-matrix.ts';

function roundTrip(values: Float32Array): Float32Array {
  const codes = new Uint16Array(values.length);
  const decoded = new Float32Array(values.length);
  encodeMagnitudes(values, codes, 0);
  decodeMagnitudes(codes, 0, codes.length, decoded);
  return decoded;
}

it('keeps magnitudes to one part in 2048', () => {
  const values = Float32Array.from({ length: 6000 }, (_, i) => 1.37 * 10 ** (-9 + (18 * i) / 6000));
  const decoded = roundTrip(values);
  const worst = values.reduce((error, value, i) => Math.max(error, Math.abs(decoded[i]! - value) / value), 0);
  // Half a step of ten bits of mantissa.
  expect(worst).toBeLessThanOrEqual(2 ** -11);
  expect(worst).toBeGreaterThan(2 ** -12);
});

it('keeps zero, rounds inaudible values to zero, and clamps at the largest', () => {
  const [zero, tiny, one, huge] = roundTrip(Float32Array.from([0, 1e-20, 1, 1e30]));
  expect([zero, tiny, one]).toEqual([0, 0, 1]);
  expect(huge).toBeGreaterThan(2 ** 31.99);
});

it('a matrix that grows long is converted in place, and reads as before', () => {
  const bins = 3;
  const row = (frame: number) => [frame, frame + 0.5, 1 / (frame + 1)];
  const [floats, compact] = [1000, 100].map((exactFrames) => {
    const builder = new FrameMatrixBuilder(50, bins, exactFrames);
    for (let frame = 0; frame < 500; frame++) builder.append(row(frame));
    return builder.finish();
  });
  expect(floats!.data).toBeInstanceOf(Float32Array);
  expect(compact!.data).toBeInstanceOf(Uint16Array);
  expect(compact!.data.length).toBe(500 * bins);
  for (const [first, end] of [
    [0, 5],
    [97, 104],
    [480, 500],
  ] as const) {
    const [exact, read] = [floats!, compact!].map((matrix) => {
      const target = new Float32Array((end - first) * bins);
      copyFrames(matrix, first, end, target);
      return target;
    });
    read!.forEach((value, i) => {
      expect(Math.abs(value - exact![i]!)).toBeLessThanOrEqual(exact![i]! * 2 ** -11);
    });
  }
});
