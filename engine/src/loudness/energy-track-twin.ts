import { designKWeighting } from './k-weighting.ts';

/** The twin of the kernel `sumWeightedSquares`: the sum of the squares of one channel after both filters. */
export function sumWeightedSquaresTwin(samples: ArrayLike<number>, sampleRateHz: number): number {
  let values = Array.from(samples);
  for (const { b0, b1, b2, a1, a2 } of designKWeighting(sampleRateHz)) {
    let s1 = 0;
    let s2 = 0;
    values = values.map((x) => {
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      return y;
    });
  }
  return values.reduce((sum, value) => sum + value * value, 0);
}
