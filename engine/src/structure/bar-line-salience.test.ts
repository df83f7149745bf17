import { describe, expect, it } from 'vitest';
import { findRepetitionStarts, measureContrast, rateBarLines } from './bar-line-salience.ts';
import { makeBand } from './test-songs.ts';

/** Bars of the same letter have a likeness of `inside`, others of 0. */
const makeBlocks = (letters: string, inside = 1) =>
  makeBand(letters.length, (i, j) => (letters[i] === letters[j] ? inside : 0));

describe('contrast', () => {
  const blocks = makeBlocks('AAAAAAAABBBBBBBB');

  it('is the likeness inside two blocks less that across', () => {
    expect(measureContrast(blocks, 4)[8]).toBe(1);
    expect(measureContrast(blocks, 8)[8]).toBe(1);
  });

  it('falls off within the reach', () => {
    expect(measureContrast(blocks, 4)[4]).toBe(0);
    // Of the eight bars after, four are in the next block: 12 of their 28 pairs are alike, and half of the pairs across.
    expect(measureContrast(blocks, 8)[4]).toBeCloseTo(0.5 * (1 + 12 / 28) - 0.5, 12);
  });

  it('counts the likeness inside a single bar as 0', () => {
    const contrast = measureContrast(blocks, 4);
    expect([contrast[1], contrast[15]]).toEqual([0.5 - 1, 0.5 - 1]);
  });

  it('is 0 at the start and at the end of the piece', () => {
    const contrast = measureContrast(blocks, 4);
    expect(contrast).toHaveLength(17);
    expect([contrast[0], contrast[16]]).toEqual([0, 0]);
  });

  it('is the same at every bar line away from the ends of a uniform piece', () => {
    const contrast = measureContrast(
      makeBand(40, (i, j) => Math.cos(i - j)),
      8,
    );
    for (let bar = 9; bar < 32; bar++) expect(contrast[bar]).toBeCloseTo(contrast[8]!, 6);
  });
});

describe('a repetition', () => {
  it('begins where bars come back and those before them do not, in both places', () => {
    // Bars 4 to 7 come back at 16.
    const content = makeBand(24, (i, j) => (j - i === 12 && i >= 4 && i < 8 ? 1 : 0));
    const starts = findRepetitionStarts(content);
    const expected = new Array(25).fill(0);
    for (const first of [4, 16]) {
      // A bar early, only one of the two bars after comes back; a bar late, one of the two before does already.
      expected[first - 1] = 0.5;
      expected[first] = 1;
      expected[first + 1] = 0.5;
    }
    expect([...starts]).toEqual(expected);
  });

  it('begins with the piece', () => {
    const content = makeBand(12, (i, j) => (j - i === 6 && i < 3 ? 1 : 0));
    expect([...findRepetitionStarts(content)].slice(0, 2)).toEqual([1, 0.5]);
  });

  it('does not begin within a phrase', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 3 && i === 9 ? 1 : 0)));
    expect(starts.every((start) => start === 0)).toBe(true);
  });

  it('counts likeness above the median only', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 && i === 4 ? 1 : 0.5)));
    // One of the two bars is alike by half more than the median.
    expect(starts[4]).toBeCloseTo(0.25, 3);
    expect(starts[12]).toBeCloseTo(0, 3);
  });

  it('gains nothing from bars before it that are less alike than the median', () => {
    const likeness = (bar: number) => (bar === 4 || bar === 5 ? 1 : bar === 2 || bar === 3 ? 0 : 0.5);
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 ? likeness(i) : 0.5)));
    expect(starts[4]).toBeCloseTo(0.5, 3);
  });

  it('counts the bars there are at the end of the piece', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 && i === 11 ? 1 : 0.5)));
    expect([starts[11], starts[23]]).toEqual([0.25, 0.25]);
  });

  it('is found only as far apart as bars were compared', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 7 && i === 4 ? 1 : 0), 8));
    const begins = [...starts].flatMap((start, bar) => (start > 0 ? [bar] : []));
    expect(begins).toEqual([3, 4, 10, 11]);
  });
});

describe('salience', () => {
  const form = 'IIIIAAAAAAAABBBBBBBBAAAAAAAABBBBBBBB';
  const texture = makeBlocks(form);
  // The tune of a section is its bars in order.
  const content = makeBand(form.length, (i, j) => (i >= 4 && j - i === 16 ? 1 : 0));

  it('is highest where sections begin', () => {
    const salience = rateBarLines({ texture, content });
    const inside = salience.filter((_, bar) => bar % 8 !== 4);
    for (const bar of [4, 12, 20, 28]) expect(salience[bar]).toBeGreaterThan(Math.max(...inside));
  });

  it('is the mean of five signs in standard deviations', () => {
    const inner = (values: ArrayLike<number>) => [...Array.from(values)].slice(1, -1);
    const deviate = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
      return values.map((value) => (spread > 1e-6 ? (value - mean) / spread : 0));
    };
    const aboveNeighbours = (values: number[]) =>
      values.map((value, at) => {
        const near = [-2, -1, 1, 2].map((off) => Math.max(0, Math.min(values.length - 1, at + off)));
        return value - Math.max(...near.map((place) => values[place]!));
      });
    const repetitions = inner(findRepetitionStarts(content));
    const signs = [
      inner(measureContrast(texture, 4)),
      aboveNeighbours(inner(measureContrast(texture, 8))),
      inner(measureContrast(content, 8)),
      repetitions,
      aboveNeighbours(repetitions),
    ].map(deviate);
    inner(rateBarLines({ texture, content })).forEach((value, at) => {
      expect(value).toBeCloseTo(signs.reduce((sum, sign) => sum + sign[at]!, 0) / 5, 9);
    });
  });

  it('has a mean of 0 over the piece', () => {
    const salience = rateBarLines({ texture, content });
    expect(salience.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
    expect([salience[0], salience.at(-1)]).toEqual([0, 0]);
  });

  it('does not depend on the scale of the likenesses', () => {
    const faint = rateBarLines({
      texture: { ...texture, values: texture.values.map((value) => value / 4) },
      content: { ...content, values: content.values.map((value) => value / 4) },
    });
    rateBarLines({ texture, content }).forEach((value, bar) => {
      expect(faint[bar]).toBeCloseTo(value, 5);
    });
  });

  it.each([1, 2, 12])('is 0 in %i bars that do not differ', (barCount) => {
    const flat = makeBand(barCount, () => 0);
    expect([...rateBarLines({ texture: flat, content: flat })]).toEqual(new Array(barCount + 1).fill(0));
  });
});
