import { describe, expect, it } from 'vitest';
import { findRepetitionStarts, measureContrast, rateBarLines } from './bar-line-salience.ts';
import { makeBand } from './test-songs.ts';

/** Bars with the same letter have a similarity of `inside`, others of 0. */
const makeBlocks = (letters: string, inside = 1) =>
  makeBand(letters.length, (i, j) => (letters[i] === letters[j] ? inside : 0));

describe('contrast', () => {
  const blocks = makeBlocks('AAAAAAAABBBBBBBB');

  it('is the similarity inside two blocks minus that across', () => {
    expect(measureContrast(blocks, 4)[8]).toBe(1);
    expect(measureContrast(blocks, 8)[8]).toBe(1);
  });

  it('falls off within the reach', () => {
    expect(measureContrast(blocks, 4)[4]).toBe(0);
    // Four of the eight bars after it are in the next block: 12 of their 28 pairs are similar, and half of the pairs across.
    expect(measureContrast(blocks, 8)[4]).toBeCloseTo(0.5 * (1 + 12 / 28) - 0.5, 12);
  });

  it('takes the similarity inside a single bar as 0', () => {
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
    // The similarities have single precision.
    for (let bar = 9; bar <= 32; bar++) expect(contrast[bar]).toBeCloseTo(contrast[8]!, 6);
  });
});

describe('a repetition', () => {
  it('starts where bars recur and those before them do not, at both occurrences', () => {
    // Bars 4 to 7 recur at bar 16.
    const content = makeBand(24, (i, j) => (j - i === 12 && i >= 4 && i < 8 ? 1 : 0));
    const starts = findRepetitionStarts(content);
    const expected = new Array(25).fill(0);
    for (const first of [4, 16]) {
      // One bar early, only one of the two bars after it recurs; one bar late, one of the two before it does too.
      expected[first - 1] = 0.5;
      expected[first] = 1;
      expected[first + 1] = 0.5;
    }
    expect([...starts]).toEqual(expected);
  });

  it('may start with the piece', () => {
    const content = makeBand(12, (i, j) => (j - i === 6 && i < 3 ? 1 : 0));
    expect([...findRepetitionStarts(content)].slice(0, 2)).toEqual([1, 0.5]);
  });

  it('does not start within a phrase of four bars', () => {
    const startsAfter = (lagBars: number) =>
      [...findRepetitionStarts(makeBand(24, (i, j) => (j - i === lagBars && i === 9 ? 1 : 0)))].flatMap(
        (start, bar) => (start > 0 ? [bar] : []),
      );
    expect(startsAfter(3)).toEqual([]);
    // One bar recurs, so the bar line before it counts too.
    expect(startsAfter(4)).toEqual([8, 9, 12, 13]);
  });

  it('counts similarity above the median only', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 && i === 4 ? 1 : 0.5)));
    // One of the two bars exceeds the median by a half.
    expect([starts[4], starts[12]]).toEqual([0.25, 0]);
  });

  it('gains nothing from bars before it that are less similar than the median', () => {
    const similarityAt = (bar: number) => (bar === 4 || bar === 5 ? 1 : bar === 2 || bar === 3 ? 0 : 0.5);
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 ? similarityAt(i) : 0.5)));
    expect(starts[4]).toBe(0.5);
  });

  it('counts the bars that remain at the end of the piece', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 12 && i === 11 ? 1 : 0.5)));
    expect([starts[11], starts[23]]).toEqual([0.25, 0.25]);
  });

  it('is found only at lags at which bars were compared', () => {
    const starts = findRepetitionStarts(makeBand(24, (i, j) => (j - i === 7 && i === 4 ? 1 : 0), 8));
    const found = [...starts].flatMap((start, bar) => (start > 0 ? [bar] : []));
    expect(found).toEqual([3, 4, 10, 11]);
  });
});

describe('salience', () => {
  const form = 'IIIIAAAAAAAABBBBBBBBAAAAAAAABBBBBBBB';
  const texture = makeBlocks(form);
  // Each bar recurs at the same place of the next section of its letter.
  const content = makeBand(form.length, (i, j) => (i >= 4 && j - i === 16 ? 1 : 0));

  it('is highest where sections start', () => {
    const salience = rateBarLines({ texture, content });
    const inside = salience.filter((_, bar) => bar % 8 !== 4);
    for (const bar of [4, 12, 20, 28]) expect(salience[bar]).toBeGreaterThan(Math.max(...inside));
  });

  it('is the mean of five standardised cues', () => {
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
    const cues = [
      inner(measureContrast(texture, 4)),
      aboveNeighbours(inner(measureContrast(texture, 8))),
      inner(measureContrast(content, 8)),
      repetitions,
      aboveNeighbours(repetitions),
    ].map(deviate);
    inner(rateBarLines({ texture, content })).forEach((value, at) => {
      expect(value).toBeCloseTo(cues.reduce((sum, cue) => sum + cue[at]!, 0) / 5, 9);
    });
  });

  it('has a mean of 0 over the piece', () => {
    const salience = rateBarLines({ texture, content });
    expect(salience.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
    expect([salience[0], salience.at(-1)]).toEqual([0, 0]);
  });

  it('does not depend on the scale of the similarities', () => {
    const faint = rateBarLines({
      texture: { ...texture, values: texture.values.map((value) => value / 4) },
      content: { ...content, values: content.values.map((value) => value / 4) },
    });
    expect(faint).toEqual(rateBarLines({ texture, content }));
  });

  it.each([1, 2, 12])('is 0 in %i equal bars', (barCount) => {
    const flat = makeBand(barCount, () => 0);
    expect([...rateBarLines({ texture: flat, content: flat })]).toEqual(new Array(barCount + 1).fill(0));
  });
});
