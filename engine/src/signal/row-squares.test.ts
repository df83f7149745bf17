import { expect, it } from 'vitest';
import { createKernels } from './kernels.ts';
import { sumRowSquares } from './row-squares.ts';

it('sums the squares of every row of more than one window', () => {
  const frameCount = 600;
  const data = Float32Array.from({ length: 2 * frameCount }, (_, k) => (k % 2 === 0 ? k / 2 : 3));
  const squares = sumRowSquares(createKernels(), { frameRateHz: 50, binCount: 2, frameCount, data });
  expect([...squares]).toEqual(Array.from({ length: frameCount }, (_, frame) => frame ** 2 + 9));
});
