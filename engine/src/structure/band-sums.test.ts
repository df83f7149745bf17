import { describe, expect, it } from 'vitest';
import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import { makeBand } from './test-songs.ts';

/** A different number for each pair of bars, exact in 32 bits. */
const own = (i: number, j: number) => (16 * i + j) / 256;
const BARS = 9;
const pairs = Array.from({ length: BARS }, (_, i) =>
  Array.from({ length: BARS - i - 1 }, (_, k) => ({ i, j: i + k + 1 })),
).flat();

describe('the sum of a block', () => {
  it.each([2, 3, 5, 9, 20])('is that of its pairs less than %i bars apart', (lagEnd) => {
    const sums = createBlockSums(makeBand(BARS, own), lagEnd);
    for (let start = 0; start < BARS; start++) {
      for (let end = start; end <= BARS; end++) {
        const inside = pairs.filter(({ i, j }) => i >= start && j < end && j - i < lagEnd);
        expect(sums(start, end)).toBe(inside.reduce((sum, { i, j }) => sum + own(i, j), 0));
      }
    }
  });

  it('leaves out pairs that the band does not hold', () => {
    const sums = createBlockSums(makeBand(BARS, own, 4), 20);
    const held = pairs.filter(({ i, j }) => j - i < 4);
    expect(sums(0, BARS)).toBe(held.reduce((sum, { i, j }) => sum + own(i, j), 0));
  });
});

describe('sums along diagonals', () => {
  it.each([4, BARS])('add up the pairs before a bar, in a band of %i lags', (lagCount) => {
    const sums = createDiagonalSums(makeBand(BARS, own, lagCount));
    expect(sums).toHaveLength((BARS + 1) * lagCount);
    for (let bar = 0; bar <= BARS; bar++) {
      for (let lag = 1; lag < lagCount; lag++) {
        const before = pairs.filter(({ i, j }) => j - i === lag && i < bar);
        expect(sums[bar * lagCount + lag]).toBe(before.reduce((sum, { i }) => sum + own(i, i + lag), 0));
      }
    }
  });
});

describe('the median', () => {
  /** Bars with these likenesses, each to the next bar; the band holds no others. */
  const medianOf = (likenesses: readonly number[]) =>
    medianSimilarity(makeBand(likenesses.length + 1, (i) => likenesses[i]!, 2));

  it.each([
    { likenesses: [0.25], median: 0.25 },
    { likenesses: [0.5, -0.5, 0.125], median: 0.125 },
    { likenesses: [0.9, -0.25, 0.8, -0.75], median: -0.25 },
    { likenesses: [1, 1], median: 1 },
    { likenesses: [-1, -1, 1], median: -1 },
    { likenesses: [-0.5, 1.0000001, 1.0000001], median: 1 },
    { likenesses: [-1.0000001, 0.5, -1.0000001], median: -1 },
  ])('of $likenesses is $median, the lower of two', ({ likenesses, median }) => {
    // The histogram has steps of a thousandth.
    expect(medianOf(likenesses)).toBeCloseTo(median, 3);
  });

  it('leaves out the similarity of bars to themselves', () => {
    const likenesses = pairs.map(({ i, j }) => own(i, j)).sort((a, b) => a - b);
    expect(medianSimilarity(makeBand(BARS, own))).toBeCloseTo(likenesses[likenesses.length / 2 - 1]!, 3);
  });

  it('is null for a single bar', () => {
    expect(medianSimilarity(makeBand(1, own))).toBeNull();
  });
});
