import { describe, expect, it } from 'vitest';
import { measureContrast, priceOfLength, segmentBars } from './segmentation.ts';
import { makeBand } from './test-songs.ts';

/** Bars of the same letter are alike by `inside`, others by `across`. */
const makeBlocks = (letters: string, inside = 1, across = 0) =>
  makeBand(letters.length, (i, j) => (letters[i] === letters[j] ? inside : across));
const nothing = (barCount: number) => makeBand(barCount, () => 0);
const repeat = (letters: string, count: number): string =>
  [...letters].map((letter) => letter.repeat(count)).join('');

describe('contrast', () => {
  it('is what two blocks share less than each does with itself, near and far', () => {
    const contrast = measureContrast(makeBlocks(repeat('AB', 8)));
    expect(contrast).toHaveLength(17);
    // Within four bars and within eight: 1 inside either, 0 across.
    expect(contrast[8]).toBe(2);
    // Four bars reach no change; eight bars reach four of the next block: 12 of 28 pairs there, half of those across.
    expect(contrast[4]).toBeCloseTo(0.5 * (1 + 12 / 28) - 0.5, 12);
    // A single bar has no pair: half of what follows, less what both share.
    expect(contrast[1]).toBeCloseTo(0.5 - 1 + 0.5 * (21 / 28) - 7 / 8, 12);
    expect(contrast[15]).toBeCloseTo(contrast[1]!, 12);
    expect([contrast[0], contrast[16]]).toEqual([0, 0]);
  });

  it('is the same at every bar line far from the ends of a piece that goes on alike', () => {
    const contrast = measureContrast(makeBand(40, (i, j) => Math.cos(i - j)));
    for (let bar = 9; bar < 32; bar++) expect(contrast[bar]).toBeCloseTo(contrast[8]!, 6);
  });
});

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
  it('are eight bars where nothing tells', () => {
    const bars = 24;
    expect(segmentBars({ texture: nothing(bars), content: nothing(bars) })).toEqual([0, 8, 16, 24]);
  });

  it.each([
    [2, [0, 2]],
    [3, [0, 3]],
    [4, [0, 4]],
    [12, [0, 12]],
    [16, [0, 8, 16]],
  ])('of %i bars where nothing tells are %j', (bars, expected) => {
    expect(segmentBars({ texture: nothing(bars), content: nothing(bars) })).toEqual(expected);
  });

  it('are blocks that are played alike, of any length', () => {
    const letters = 'AAAAAABBBBBBBBBBCCCCCCCC';
    expect(segmentBars({ texture: makeBlocks(letters), content: nothing(24) })).toEqual([0, 6, 16, 24]);
  });

  it('are no longer than 16 bars', () => {
    const bounds = segmentBars({ texture: makeBlocks('A'.repeat(32)), content: nothing(32) });
    expect(bounds).toEqual([0, 16, 32]);
  });

  it('are what comes back as a whole, though all is played alike', () => {
    const texture = makeBlocks('A'.repeat(26), 0.2);
    // Bars 3 to 10 again from 16 on: no rule of lengths would cut there.
    const content = makeBand(26, (i, j) => (j - i !== 13 ? 0 : i >= 3 && i < 11 ? 1 : -1));
    const bounds = segmentBars({ texture, content });
    expect(bounds).toEqual(expect.arrayContaining([3, 11, 16, 24]));
  });

  it('recur by more than is usual in the piece', () => {
    const texture = makeBlocks('A'.repeat(16), 0.2);
    // Everything is like everything: to come back is nothing special.
    const everywhere = makeBand(16, () => 0.7);
    expect(segmentBars({ texture, content: everywhere })).toEqual(
      segmentBars({ texture, content: nothing(16) }),
    );
  });

  it('do not recur in less than three bars, nor over themselves', () => {
    const texture = nothing(24);
    const bar = makeBand(24, (i, j) => (j - i !== 12 ? 0 : i === 3 ? 1 : -1));
    expect(segmentBars({ texture, content: bar })).toEqual([0, 8, 16, 24]);
    const next = makeBand(24, (i, j) => (j - i === 2 ? 1 : 0));
    expect(segmentBars({ texture, content: next })).toEqual([0, 8, 16, 24]);
  });
});
