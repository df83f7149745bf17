import { describe, expect, it } from 'vitest';
import { findFades } from './fades.ts';
import { makeCurve } from './test-songs.ts';

/** Music at -14 LUFS that varies by a decibel. */
const music = (seconds: number): number => -14 + Math.sin(seconds * 3);

/** The level of the mean energy over the 3 s around a moment, which is what short-term loudness shows. */
const shortTerm = (seconds: number, lufsAt: (seconds: number) => number): number => {
  const energies = Array.from({ length: 30 }, (_, i) => 10 ** (lufsAt(seconds - 1.5 + i * 0.1) / 10));
  return 10 * Math.log10(energies.reduce((sum, energy) => sum + energy, 0) / energies.length);
};

describe('fades', () => {
  it('starts a fade-out where the music leaves its level', () => {
    const curve = makeCurve(60, (t) => music(t) - Math.max(0, t - 50) * 4);
    const { fadeInEndSeconds, fadeOutStartSeconds } = findFades(curve);
    expect(fadeInEndSeconds).toBeNull();
    // The last value within 3 LU of the maximum, -13 LUFS, is 0.25 to 0.75 s into a fall of 4 dB a second; values are 0.1 s apart.
    expect(fadeOutStartSeconds! - 50).toBeGreaterThan(0.1);
    expect(fadeOutStartSeconds! - 50).toBeLessThan(0.8);
  });

  it('ends a fade-in where the music reaches its level, after silence', () => {
    const curve = makeCurve(60, (t) => (t < 2 ? null : music(t) - Math.max(0, 10 - t) * 4));
    const { fadeInEndSeconds, fadeOutStartSeconds } = findFades(curve);
    expect(fadeOutStartSeconds).toBeNull();
    // As above, in reverse.
    expect(10 - fadeInEndSeconds!).toBeGreaterThan(0.1);
    expect(10 - fadeInEndSeconds!).toBeLessThan(0.8);
  });

  it.each<[string, (seconds: number) => number | null]>([
    ['steady music', music],
    ['a sudden end', (t) => (t < 58 ? music(t) : null)],
    ['a chord ringing out for two seconds', (t) => music(t) - Math.max(0, t - 58) * 15],
    ['a quiet last section', (t) => (t < 40 ? music(t) : -35)],
    [
      'a cut, as the window of 3 s shows it, before tape hiss',
      (t) => shortTerm(t, (s) => (s < 50 ? -14 : -60)),
    ],
    ['a quiet intro', (t) => shortTerm(t, (s) => (s < 20 ? -32 : -14))],
    ['a cut before a late click in silence', (t) => (t < 50 ? music(t) : t < 58 ? null : -69)],
    ['silence', () => null],
  ])('are absent from %s', (_name, levelAt) => {
    expect(findFades(makeCurve(60, levelAt))).toEqual({ fadeInEndSeconds: null, fadeOutStartSeconds: null });
  });

  it('are absent from an empty curve', () => {
    expect(findFades(makeCurve(0, music))).toEqual({ fadeInEndSeconds: null, fadeOutStartSeconds: null });
  });

  /** One value a second, from second 100 on. */
  const everySecond = (values: (number | null)[]) => ({ startSeconds: 100, hopSeconds: 1, values });
  const steady = (count: number, levelLufs = -10): number[] => new Array(count).fill(levelLufs);

  it.each<[string, (number | null)[], number | null]>([
    ['lasts three seconds and falls 15 LU', [...steady(20), -15, -20, -25], 119],
    ['does not fall only 14 LU', [...steady(20), -15, -20, -24], null],
    ['does not last only two seconds', [...steady(20), -18, -26], null],
    ['does not last only two seconds before silence', [...steady(20), -18, -26, null, null], null],
    ['loses 15 LU in two seconds', [...steady(20), -24, -25, -26], 119],
    ['does not lose 15 LU in one second', [...steady(20), -25, -26, -27], null],
    ['ends before the silence that follows it', [...steady(20), -15, -20, -25, null, -80, null], 119],
    ['starts at the last value within 3 LU of the maximum', [...steady(20), -13, -18, -23, -28], 120],
    ['is not interrupted by a rise of 3 LU', [...steady(20), -20, -28, -25, -30], 119],
    ['is interrupted by a rise of 4 LU', [...steady(20), -20, -29, -25, -30], null],
    ['may start 8 LU below the level of the music', [...steady(20), -30, -18, -18, -23, -28, -33], 122],
    ['does not start 9 LU below that level', [...steady(20), -30, -19, -19, -24, -29, -34], null],
    [
      'is measured from the level of the loudest quarter, wherever that is',
      [...steady(8), ...steady(17, -40), -19, -24, -29, -34],
      null,
    ],
    ['is not a sudden end followed by silence', [...steady(20), null, null, null, null, null], null],
    ['may start with the piece', [-10, -15, -20, -25], 100],
    ['is interrupted by small rises that add up', [...steady(20), -20, -31, -28, -25, -30, -35], null],
    [
      'is not measured from a louder part of less than a quarter',
      [...steady(7), ...steady(18, -40), -19, -24, -29, -34],
      125,
    ],
    [
      'is measured from the loud part even after quiet music',
      [...steady(11, -40), ...steady(14), -40, -19, -24, -29, -34],
      null,
    ],
    [
      'is measured from the loud part even after silence',
      [...new Array(40).fill(null), ...steady(14), ...steady(11, -40), -19, -24, -29, -34],
      null,
    ],
  ])('a fade-out %s, and a fade-in likewise', (_name, values, expected) => {
    expect(findFades(everySecond(values)).fadeOutStartSeconds).toBe(expected);
    const reversed = findFades(everySecond([...values].reverse())).fadeInEndSeconds;
    expect(reversed).toBe(expected === null ? null : 100 + values.length - 1 - (expected - 100));
  });

  it('are measured in seconds, whatever the step of the curve', () => {
    const inHalfSeconds = (values: number[]) => findFades({ ...everySecond(values), hopSeconds: 0.5 });
    expect(inHalfSeconds([...steady(20), -13, -17, -21, -25, -29]).fadeOutStartSeconds).toBeNull();
    const fade = [...steady(20), -13, -16, -19, -22, -25, -28, -31];
    expect(inHalfSeconds(fade).fadeOutStartSeconds).toBe(110);
  });
});
