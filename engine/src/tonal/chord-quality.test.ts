import { describe, expect, it } from 'vitest';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { type ChordQuality, isChordQuality, refineQuality } from './chord-quality.ts';
import { computeChroma } from './chroma.ts';
import { makeChord, renderChords } from './test-progressions.ts';

const QUALITIES: [ChordQuality, 'major' | 'minor', number[]][] = [
  ['maj', 'major', [0, 4, 7]],
  ['7', 'major', [0, 4, 7, 10]],
  ['maj7', 'major', [0, 4, 7, 11]],
  ['sus4', 'major', [0, 5, 7]],
  ['aug', 'major', [0, 4, 8]],
  ['min', 'minor', [0, 3, 7]],
  ['min7', 'minor', [0, 3, 7, 10]],
  ['dim', 'minor', [0, 3, 6]],
  ['hdim7', 'minor', [0, 3, 6, 10]],
];

describe('chord quality', () => {
  it.each(QUALITIES)('is recognised in audio: %s', (quality, triad, intervals) => {
    for (const root of [0, 4, 9]) {
      const { pitch, rms, durationSeconds } = analyseSpectra(renderChords([makeChord(root, intervals, 3)]));
      const chord = triad === 'major' ? root : root + 12;
      const span = { startSeconds: 0.5, endSeconds: durationSeconds - 0.5, chord, leadLogOdds: 1 };
      expect(refineQuality(span, computeChroma(pitch, rms, 0).middle)?.quality).toBe(quality);
    }
  });

  it('depends on the frames of the span only, and the share of a triad is lower where a seventh sounds in half of them', () => {
    // One second each of C7, C and C7.
    const seventh = [4, 0, 0, 0, 2.2, 0, 0, 3.4, 0, 0, 2.2, 0.5];
    const triad = [4, 0, 0, 0, 2.2, 0, 0, 3.4, 0, 0, 0, 0.5];
    const rows = [seventh, triad, seventh];
    const data = Float32Array.from({ length: 360 }, (_, i) => rows[Math.floor(i / 120)]![i % 12]!);
    const chroma = { frameRateHz: 10, binCount: 12, frameCount: 30, data };
    const refine = (startSeconds: number, endSeconds: number) =>
      refineQuality({ startSeconds, endSeconds, chord: 0, leadLogOdds: 1 }, chroma)!;
    expect(refine(0, 1).quality).toBe('7');
    expect(refine(1, 2).quality).toBe('maj');
    // The tones match the template, which leaves 0.8 % for the rarer qualities; in the mixtures they get 7 %.
    expect(refine(1, 2).share).toBeGreaterThan(0.95);
    expect(refine(1, 2).share).toBeLessThan(1);
    for (const [from, to] of [
      [0, 2],
      [1, 3],
    ] as const) {
      expect(refine(from, to).quality).toBe('maj');
      expect(refine(from, to).share).toBeGreaterThan(0.9);
      expect(refine(from, to).share).toBeLessThan(0.95);
    }
  });

  it('has a name in the vocabulary', () => {
    expect(['maj', 'hdim7', 'aug'].map(isChordQuality)).toEqual([true, true, true]);
    expect(['', 'major', 'N'].map(isChordQuality)).toEqual([false, false, false]);
  });

  it('is null for no chord', () => {
    const chroma = { frameRateHz: 10, binCount: 12, frameCount: 10, data: new Float32Array(120) };
    expect(refineQuality({ startSeconds: 0, endSeconds: 1, chord: 24, leadLogOdds: 0 }, chroma)).toBeNull();
  });

  it('is the plain triad in silence, with its prior as the share', () => {
    const chroma = { frameRateHz: 10, binCount: 12, frameCount: 10, data: new Float32Array(120) };
    const refine = (chord: number) =>
      refineQuality({ startSeconds: 0, endSeconds: 1, chord, leadLogOdds: 0 }, chroma);
    const shareAmong = (...rarities: number[]) =>
      expect.closeTo(1 / rarities.reduce((sum, rarity) => sum + Math.exp(-rarity), 1), 12);
    expect(refine(2)).toEqual({ quality: 'maj', share: shareAmong(2.7, 2.7, 2.7, 4) });
    expect(refine(14)).toEqual({ quality: 'min', share: shareAmong(1.9, 3, 3.8) });
  });
});
