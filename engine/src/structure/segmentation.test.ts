import { describe, expect, it } from 'vitest';
import { rateBarLines } from './bar-line-salience.ts';
import { priceOfLength, segmentBars } from './segmentation.ts';
import type { SelfSimilarity } from './self-similarity.ts';
import { makeBand } from './test-songs.ts';

/** Bars of the same letter are alike by `inside`, others by `across`. */
const makeBlocks = (letters: string, inside = 1, across = 0) =>
  makeBand(letters.length, (i, j) => (letters[i] === letters[j] ? inside : across));
const nothing = (barCount: number) => makeBand(barCount, () => 0);
const segment = (similarity: SelfSimilarity) => segmentBars(similarity, rateBarLines(similarity));

describe('lengths', () => {
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
  ])('of %i bars cost %f', (bars, price) => {
    expect(priceOfLength(bars)).toBe(price);
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
  ])('of %i bars where nothing tells are %j', (bars, expected) => {
    expect(segment({ texture: nothing(bars), content: nothing(bars) })).toEqual(expected);
  });

  it('are blocks that are played alike, of any length', () => {
    const letters = 'AAAAAABBBBBBBBBBCCCCCCCC';
    // The content has half its weight in what is played; descriptions are centred, so that others are unlike.
    const similarity = { texture: makeBlocks(letters, 0.6, -0.3), content: makeBlocks(letters, 0.3, -0.15) };
    expect(segment(similarity)).toEqual([0, 6, 16, 24]);
  });

  it('are no longer than 16 bars', () => {
    const bounds = segment({ texture: makeBlocks('A'.repeat(32)), content: nothing(32) });
    expect(bounds).toEqual([0, 16, 32]);
  });

  it('are what comes back as a whole, though nothing is told by how it is played', () => {
    const texture = nothing(28);
    // Bars 4 to 11 again from 16 on: without, 8 and 16 bars would be cheaper.
    const content = makeBand(28, (i, j) => (j - i !== 12 ? 0 : i >= 4 && i < 12 ? 1 : -1));
    expect(segment({ texture, content })).toEqual([0, 4, 12, 16, 24, 28]);
  });

  it('recur by more than is usual in the piece', () => {
    const texture = makeBlocks('A'.repeat(16), 0.2);
    // Everything is like everything: to come back is nothing special.
    const everywhere = makeBand(16, () => 0.7);
    expect(segment({ texture, content: everywhere })).toEqual(segment({ texture, content: nothing(16) }));
  });

  it('do not recur in less than three bars, nor over themselves', () => {
    const texture = nothing(24);
    const bar = makeBand(24, (i, j) => (j - i !== 12 ? 0 : i === 3 ? 1 : -1));
    const indifferent = new Float64Array(25);
    expect(segmentBars({ texture, content: bar }, indifferent)).toEqual([0, 8, 24]);
    const next = makeBand(24, (i, j) => (j - i === 2 ? 1 : 0));
    expect(segmentBars({ texture, content: next }, indifferent)).toEqual([0, 8, 24]);
  });
});
