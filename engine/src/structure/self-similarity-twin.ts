import type { BarVectors } from './bar-features.ts';

/** Twin of the kernel addLikenesses, for one pair of bars: the dot product of their features. */
export function measureLikenessTwin({ width, data }: BarVectors, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < width; i++) sum += data[a * width + i]! * data[b * width + i]!;
  return sum;
}
