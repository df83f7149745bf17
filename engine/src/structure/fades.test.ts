import { describe, expect, it } from 'vitest';
import { findFades } from './fades.ts';
import { makeCurve } from './test-songs.ts';

/** Music at -14 LUFS with a ripple of a decibel. */
const music = (seconds: number): number => -14 + Math.sin(seconds * 3);

describe('fades', () => {
  it('finds a fade-out where it starts', () => {
    const curve = makeCurve(60, (t) => music(t) - Math.max(0, t - 50) * 4);
    const { fadeInEndSeconds, fadeOutStartSeconds } = findFades(curve);
    expect(fadeInEndSeconds).toBeNull();
    // The ripple hides the first decibel of the fall.
    expect(Math.abs(fadeOutStartSeconds! - 50)).toBeLessThan(1.5);
  });

  it('finds where a fade-in ends, after silence', () => {
    const curve = makeCurve(60, (t) => (t < 2 ? null : music(t) - Math.max(0, 10 - t) * 4));
    const { fadeInEndSeconds, fadeOutStartSeconds } = findFades(curve);
    expect(fadeOutStartSeconds).toBeNull();
    expect(Math.abs(fadeInEndSeconds! - 10)).toBeLessThan(1.5);
  });

  it.each<[string, (seconds: number) => number | null]>([
    ['steady music', music],
    ['a sudden end', (t) => (t < 58 ? music(t) : null)],
    ['a chord ringing out for two seconds', (t) => music(t) - Math.max(0, t - 58) * 15],
    ['a quiet last section', (t) => (t < 40 ? music(t) : -26)],
    ['silence', () => null],
  ])('finds none in %s', (_name, levelAt) => {
    expect(findFades(makeCurve(60, levelAt))).toEqual({ fadeInEndSeconds: null, fadeOutStartSeconds: null });
  });

  it('finds none in an empty curve', () => {
    expect(findFades(makeCurve(0, music))).toEqual({ fadeInEndSeconds: null, fadeOutStartSeconds: null });
  });

  /** A value a second, from second 100. */
  const everySecond = (values: (number | null)[]) => ({ startSeconds: 100, hopSeconds: 1, values });
  const steady = (count: number, level = -10): number[] => new Array(count).fill(level);

  it.each<[string, (number | null)[], number | null]>([
    ['three seconds and 15 LU are enough', [...steady(20), -15, -20, -25], 119],
    ['14 LU are not', [...steady(20), -15, -20, -24], null],
    ['two seconds are not', [...steady(20), -18, -26], null],
    ['silence after it does not count', [...steady(20), -15, -20, -25, null, -80, null], 119],
    ['it begins at the last value within 3 LU of the maximum', [...steady(20), -13, -18, -23, -28], 120],
    ['a rise of 3 LU does not interrupt it', [...steady(20), -20, -28, -25, -30], 119],
    ['a rise of 4 LU interrupts it', [...steady(20), -20, -29, -25, -30], null],
    ['it may begin 8 LU below the level of the music', [...steady(20), -30, -18, -18, -23, -28, -33], 122],
    ['it does not begin 9 LU below that level', [...steady(20), -30, -19, -19, -24, -29, -34], null],
    [
      'the level is that of the loudest quarter, wherever that lies',
      [...steady(14), ...steady(11, -40), -19, -24, -29, -34],
      null,
    ],
    ['silence after a sudden end is no fade', [...steady(20), null, null, null, null, null], null],
    ['it may begin with the piece', [-10, -15, -20, -25], 100],
    ['small rises add up', [...steady(20), -20, -31, -28, -25, -30, -35], null],
    [
      'a louder part of less than a quarter is not the level',
      [...steady(7), ...steady(18, -40), -19, -24, -29, -34],
      125,
    ],
    [
      'quiet music before the loud part does not lower the level',
      [...steady(11, -40), ...steady(14), -40, -19, -24, -29, -34],
      null,
    ],
    [
      'silence before the loud part does not lower the level',
      [...new Array(40).fill(null), ...steady(14), ...steady(11, -40), -19, -24, -29, -34],
      null,
    ],
  ])('%s', (_name, values, expected) => {
    expect(findFades(everySecond(values)).fadeOutStartSeconds).toBe(expected);
    const backwards = findFades(everySecond([...values].reverse())).fadeInEndSeconds;
    expect(backwards).toBe(expected === null ? null : 100 + values.length - 1 - (expected - 100));
  });
});
