import { describe, expect, it } from 'vitest';
import { makeRandom } from '../test-random.ts';
import { medianSimilarity } from './band-sums.ts';
import { rateBarLines } from './bar-line-salience.ts';
import { lengthPenalty, segmentBars } from './segmentation.ts';
import { type SelfSimilarity, type SimilarityBand, similarityOf } from './self-similarity.ts';
import { makeBand } from './test-songs.ts';

/** Bars with the same letter have a similarity of `inside`, others of `across`. */
const makeBlocks = (letters: string, inside = 1, across = 0) =>
  makeBand(letters.length, (i, j) => (letters[i] === letters[j] ? inside : across));
const nothing = (barCount: number) => makeBand(barCount, () => 0);
const segment = (similarity: SelfSimilarity) => segmentBars(similarity, rateBarLines(similarity));

describe('the length penalty', () => {
  it.each([
    [8, 0],
    [4, 0.25],
    [12, 0.25],
    [16, 0.25],
    [2, 0.5],
    [6, 0.5],
    [14, 0.5],
    [1, 1],
    [7, 1],
    [9, 1],
  ])('of %i bars is %f', (bars, penalty) => {
    expect(lengthPenalty(bars)).toBe(penalty);
  });
});

describe('segments', () => {
  it.each([
    [2, [0, 2]],
    [3, [0, 3]],
    [4, [0, 4]],
    [12, [0, 12]],
    [16, [0, 16]],
    [24, [0, 8, 24]],
  ])('of %i bars without any similarity are %j', (bars, expected) => {
    expect(segment({ texture: nothing(bars), content: nothing(bars) })).toEqual(expected);
  });

  it('are blocks of similar texture, of any length', () => {
    const letters = 'AAAAAABBBBBBBBBBCCCCCCCC';
    // Half of the weight of content is on features it shares with texture. Features are centred, which makes other bars dissimilar.
    const similarity = { texture: makeBlocks(letters, 0.6, -0.3), content: makeBlocks(letters, 0.3, -0.15) };
    expect(segment(similarity)).toEqual([0, 6, 16, 24]);
  });

  it('are no longer than 16 bars', () => {
    const bounds = segment({ texture: makeBlocks('A'.repeat(32)), content: nothing(32) });
    expect(bounds).toEqual([0, 16, 32]);
    // Every boundary costs more than it gains.
    const forbidding = new Float64Array(18).fill(-9);
    expect(
      segmentBars({ texture: makeBlocks('A'.repeat(17)), content: nothing(17) }, forbidding),
    ).toHaveLength(3);
  });

  it('are passages that recur as a whole, even without any similarity of texture', () => {
    const texture = nothing(28);
    // Bars 4 to 11 recur at 16; without that, segments of 8 and 16 bars would have a smaller penalty.
    const content = makeBand(28, (i, j) => (j - i !== 12 ? 0 : i >= 4 && i < 12 ? 1 : -1));
    expect(segment({ texture, content })).toEqual([0, 4, 12, 16, 24, 28]);
  });

  it('do not recur where all bars are equally similar', () => {
    const texture = makeBlocks('A'.repeat(16), 0.2);
    // No passage is more similar than the median.
    const everywhere = makeBand(16, () => 0.7);
    expect(segment({ texture, content: everywhere })).toEqual([0, 16]);
    expect(segment({ texture, content: nothing(16) })).toEqual([0, 16]);
  });

  it('of 16 bars may recur as a whole', () => {
    const content = makeBand(32, (i, j) => (j - i === 16 ? 1 : 0));
    expect(segmentBars({ texture: nothing(32), content }, new Float64Array(33))).toEqual([0, 16, 32]);
  });

  it('do not recur if shorter than three bars, nor overlapping themselves', () => {
    const texture = nothing(24);
    const bar = makeBand(24, (i, j) => (j - i !== 12 ? 0 : i === 3 ? 1 : -1));
    const indifferent = new Float64Array(25);
    expect(segmentBars({ texture, content: bar }, indifferent)).toEqual([0, 8, 24]);
    const next = makeBand(24, (i, j) => (j - i === 2 ? 1 : 0));
    expect(segmentBars({ texture, content: next }, indifferent)).toEqual([0, 8, 24]);
  });
});

describe('among all segmentations', () => {
  const BARS = 18;

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('the best one is found: piece %i', (seed) => {
    const random = makeRandom(seed);
    const draw = () => 2 * random() - 1;
    // In half of the pieces, some bars are too far apart to be compared.
    const lagCount = seed % 2 === 0 ? BARS : 7;
    const similarity = { texture: makeBand(BARS, draw), content: makeBand(BARS, draw, lagCount) };
    const salience = Float64Array.from({ length: BARS + 1 }, draw);
    expect(segmentBars(similarity, salience)).toEqual(findBestOfAll(similarity, salience));
  });
});

/** Tries every set of bar lines and scores it by the formula at the head of segmentation.ts. */
function findBestOfAll({ texture, content }: SelfSimilarity, salience: Float64Array): number[] {
  const { barCount } = texture;
  const scores = Array.from({ length: barCount }, (_, start) =>
    Array.from({ length: barCount - start + 1 }, (_, bars) =>
      bars < 1 || bars > 16
        ? Number.NEGATIVE_INFINITY
        : cohesionOf(texture, start, bars) +
          0.2 * bars * recurrenceOf(content, start, bars) -
          lengthPenalty(bars),
    ),
  );
  let best: { score: number; bounds: number[] } = { score: Number.NEGATIVE_INFINITY, bounds: [] };
  for (let lines = 0; lines < 2 ** (barCount - 1); lines++) {
    const bounds = [0];
    for (let bar = 1; bar < barCount; bar++) if (lines & (1 << (bar - 1))) bounds.push(bar);
    bounds.push(barCount);
    let score = 0;
    for (let i = 0; i + 1 < bounds.length; i++) {
      score += scores[bounds[i]!]![bounds[i + 1]! - bounds[i]!]!;
      if (i > 0) score += salience[bounds[i]!]! - 0.5;
    }
    if (score > best.score) best = { score, bounds };
  }
  return best.bounds;
}

/** A seventh of the sum of the similarities of bars up to seven apart. */
function cohesionOf(texture: SimilarityBand, start: number, bars: number): number {
  let sum = 0;
  for (let i = start; i < start + bars; i++)
    for (let j = i + 1; j < start + bars && j - i <= 7; j++) sum += similarityOf(texture, i, j)!;
  return sum / 7;
}

/** The mean similarity to the most similar passage elsewhere minus the median, at least 0; 0 for fewer than three bars. */
function recurrenceOf(content: SimilarityBand, start: number, bars: number): number {
  if (bars < 3) return 0;
  const means = Array.from({ length: content.barCount - bars + 1 }, (_, other) => other)
    .filter((other) => Math.abs(other - start) >= bars && Math.abs(other - start) < content.lagCount)
    .map((other) => {
      let sum = 0;
      for (let i = 0; i < bars; i++) sum += similarityOf(content, start + i, other + i)!;
      return sum / bars;
    });
  return Math.max(0, Math.max(...means) - medianSimilarity(content)!);
}
