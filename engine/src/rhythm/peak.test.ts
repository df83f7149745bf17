import { expect, it } from 'vitest';
import { interpolatePeak } from './peak.ts';

it.each([-0.5, -0.3, 0, 0.25, 0.5])(
  'finds the vertex of a parabola %d frames from the highest frame',
  (offset) => {
    const curve = Float32Array.from({ length: 5 }, (_, frame) => 9 - (frame - 2 - offset) ** 2);
    // Rounding to 32 bits: 2^-21 of 9, through a division by 4.
    expect(interpolatePeak(curve, 2)).toBeCloseTo(2 + offset, 5);
  },
);

it('moves a peak by half a frame at most', () => {
  expect(interpolatePeak(Float32Array.of(0, 1, 1.9), 1)).toBe(1.5);
  expect(interpolatePeak(Float32Array.of(1.9, 1, 0), 1)).toBe(0.5);
});

it('leaves a frame of a flat curve, in a trough or at either end where it is', () => {
  expect(interpolatePeak(Float32Array.of(1, 1, 1), 1)).toBe(1);
  expect(interpolatePeak(Float32Array.of(2, 1, 3), 1)).toBe(1);
  expect(interpolatePeak(Float32Array.of(3, 1, 0), 0)).toBe(0);
  expect(interpolatePeak(Float32Array.of(0, 1, 3), 2)).toBe(2);
});
