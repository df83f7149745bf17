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

  it('finds a fade-in where it ends, silence before it aside', () => {
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

  it('finds none in nothing', () => {
    expect(findFades(makeCurve(0, music))).toEqual({ fadeInEndSeconds: null, fadeOutStartSeconds: null });
  });
});
