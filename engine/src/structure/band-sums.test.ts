import { describe, expect, it } from 'vitest';
import { createBlockSums, createDiagonalSums, medianSimilarity } from './band-sums.ts';
import { makeBand } from './test-songs.ts';

/** A different similarity for each pair of bars, exact in single precision. */
const similarity = (i: number, j: number) => (16 * i + j) / 256;
const BARS = 9;
const pairs = Array.from({ length: BARS }, (_, i) =>
  Array.from({ length: BARS - i - 1 }, (_, k) => ({ i, j: i + k + 1 })),
).flat();

describe('the sum over a block', () => {
  it.each([2, 3, 5, 9, 20])('includes its pairs less than %i bars apart', (lagEnd) => {
    const sums = createBlockSums(makeBand(BARS, similarity), lagEnd);
    for (let start = 0; start < BARS; start++) {
      for (let end = start; end <= BARS; end++) {
        const inside = pairs.filter(({ i, j }) => i >= start && j < end && j - i < lagEnd);
        expect(sums(start, end)).toBe(inside.reduce((sum, { i, j }) => sum + similarity(i, j), 0));
      }
    }
  });

  it('omits pairs outside the band', () => {
    const sums = createBlockSums(makeBand(BARS, similarity, 4), 20);
    const held = pairs.filter(({ i, j }) => j - i < 4);
    expect(sums(0, BARS)).toBe(held.reduce((sum, { i, j }) => sum + similarity(i, j), 0));
  });
});

describe('sums along diagonals', () => {
  it.each([4, BARS])(
    'include the pairs whose earlier bar precedes the given one, in a band of %i lags',
    (lagCount) => {
      const sums = createDiagonalSums(makeBand(BARS, similarity, lagCount));
      expect(sums).toHaveLength((BARS + 1) * lagCount);
      for (let bar = 0; bar <= BARS; bar++) {
        for (let lag = 1; lag < lagCount; lag++) {
          const before = pairs.filter(({ i, j }) => j - i === lag && i < bar);
          expect(sums[bar * lagCount + lag]).toBe(
            before.reduce((sum, { i }) => sum + similarity(i, i + lag), 0),
          );
        }
      }
    },
  );
});

describe('the lower median', () => {
  /** Of a band that holds only the similarity of each bar to the next. */
  const medianOf = (similarities: readonly number[]) =>
    medianSimilarity(makeBand(similarities.length + 1, (i) => similarities[i]!, 2));

  it.each([
    { similarities: [0.25], median: 0.25 },
    { similarities: [0.5, -0.5, 0.125], median: 0.125 },
    { similarities: [0.9, -0.25, 0.8, -0.75], median: -0.25 },
    { similarities: [1, 1], median: 1 },
    { similarities: [-1, -1, 1], median: -1 },
    { similarities: [-0.5, 1.0000001, 1.0000001], median: 1 },
    { similarities: [-1.0000001, 0.5, -1.0000001], median: -1 },
  ])('of $similarities is $median', ({ similarities, median }) => {
    // Bins are 0.001 wide.
    expect(medianOf(similarities)).toBeCloseTo(median, 3);
  });

  it('omits the similarity of a bar to itself', () => {
    const similarities = pairs.map(({ i, j }) => similarity(i, j)).sort((a, b) => a - b);
    expect(medianSimilarity(makeBand(BARS, similarity))).toBeCloseTo(
      similarities[similarities.length / 2 - 1]!,
      3,
    );
  });

  it('is null for a single bar', () => {
    expect(medianSimilarity(makeBand(1, similarity))).toBeNull();
  });
});
