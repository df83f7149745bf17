import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { computeDescriptors, type DescriptorInput } from './descriptors.ts';

/** A typical song with the given values changed. */
function song(change: {
  plrLu?: number | null;
  onsetRateHz?: number;
  centroidHz?: number | null;
  flux?: number;
  flatness?: number;
  bpm?: number | null;
  stability?: number;
  scale?: 'major' | 'minor' | null;
}): DescriptorInput {
  const given = {
    plrLu: 12,
    onsetRateHz: 3,
    centroidHz: 1500,
    flux: 0.12,
    flatness: 0.2,
    bpm: 110,
    stability: 0.8,
    scale: 'major',
    ...change,
  };
  return {
    loudness: { plrLu: given.plrLu, truePeakDbtp: -1 },
    timbre: {
      centroidHz: given.centroidHz,
      flux: given.flux,
      flatness: given.flatness,
      tonalBalance: [{ band: 'sub', deviationDb: -10 }],
    },
    rhythm: {
      bpm: given.bpm,
      stability: given.stability,
      onsetRateHz: given.onsetRateHz,
      beats: [{ confidence: 0.7 }],
    },
    tonal: { scale: given.scale, confidence: 0.9 },
    speechiness: null,
    instrumentalness: null,
    reasons: { sound: null, rhythm: null, tonal: null },
  } as unknown as DescriptorInput;
}
const rate = (change: Parameters<typeof song>[0]) => computeDescriptors(song(change)).descriptors;

describe('descriptors', () => {
  it.each([
    ['energy', { onsetRateHz: 1 }, { onsetRateHz: 5 }],
    ['energy', { plrLu: 18 }, { plrLu: 8 }],
    ['energy', { centroidHz: 700 }, { centroidHz: 3000 }],
    ['danceability', { stability: 0.2 }, { stability: 0.9 }],
    ['danceability', { bpm: 60 }, { bpm: 118 }],
    ['danceability', { bpm: 200 }, { bpm: 118 }],
    ['valence', { scale: 'minor' }, { scale: 'major' }],
    ['valence', { bpm: 70 }, { bpm: 150 }],
    ['acousticness', { plrLu: 8 }, { plrLu: 18 }],
    ['acousticness', { flatness: 0.4 }, { flatness: 0.1 }],
  ] as const)('%s rises from %j to %j', (name, less, more) => {
    expect(rate(more)[name]!).toBeGreaterThan(rate(less)[name]!);
  });

  it('are weighted means of ramps over their ingredients', () => {
    const busy = { plrLu: 7, onsetRateHz: 7, centroidHz: 3500, flux: 0.22 };
    expect(rate(busy).energy).toBeCloseTo(1, 12);
    expect(rate({ ...busy, plrLu: 20 }).energy).toBeCloseTo(1 - 0.35, 12);
    expect(rate({ ...busy, onsetRateHz: 3.75 }).energy).toBeCloseTo(1 - 0.25 / 2, 12);
    // Half-way in octaves.
    expect(rate({ ...busy, centroidHz: Math.sqrt(500 * 3500) }).energy).toBeCloseTo(1 - 0.2 / 2, 12);
    expect(rate({ ...busy, flux: 0.06 }).energy).toBeCloseTo(1 - 0.2, 12);
    // A pulse of 0.7, a stability of 0.8 and the preferred tempo.
    expect(rate({ bpm: 118 }).danceability).toBeCloseTo(0.4 * 0.7 + 0.3 * 0.8 + 0.3, 12);
    // Half an octave from it is one standard deviation.
    const halfAnOctave = 118 * Math.SQRT2;
    expect(rate({ bpm: halfAnOctave }).danceability).toBeCloseTo(
      0.4 * 0.7 + 0.3 * 0.8 + 0.3 * Math.exp(-0.5),
      12,
    );
    // The key has a confidence of 0.9.
    expect(rate({ bpm: 160, centroidHz: 3500 }).valence).toBeCloseTo(0.5 * 0.95 + 0.3 + 0.2, 12);
    expect(rate({ bpm: 60, centroidHz: 500, scale: 'minor' }).valence).toBeCloseTo(0.5 * 0.05, 12);
    // Half-way in octaves, again.
    expect(rate({ bpm: Math.sqrt(60 * 160), centroidHz: 500, scale: 'minor' }).valence).toBeCloseTo(
      0.5 * 0.05 + 0.3 / 2,
      12,
    );
    // A sub of -10 dB is half-way from 5 to -25 dB.
    expect(rate({ plrLu: 20, flatness: 0.08, flux: 0.06 }).acousticness).toBeCloseTo(
      0.35 + 0.3 + 0.15 + 0.1,
      12,
    );
    expect(rate({ plrLu: 14, flatness: 0.265, flux: 0.14 }).acousticness).toBeCloseTo(
      (0.35 + 0.3 + 0.15) / 2 + 0.1,
      12,
    );
  });

  it('bound speech by the share of the time with a voice, if a voice network was run', () => {
    const speechinessOf = (speechiness: number | null, instrumentalness: number | null) =>
      computeDescriptors({ ...song({}), speechiness, instrumentalness }).descriptors.speechiness;
    expect(speechinessOf(0.8, 0.75)).toBe(0.25);
    expect(speechinessOf(0.2, 0.75)).toBe(0.2);
    expect(speechinessOf(0.8, null)).toBe(0.8);
    expect(speechinessOf(null, 0.75)).toBeNull();
  });

  it('stay within 0 and 1 at the extremes', () => {
    for (const extreme of [-1e6, 0, 1e6]) {
      const rated = rate({ plrLu: extreme, onsetRateHz: extreme, flux: extreme, flatness: extreme });
      for (const value of [rated.energy, rated.acousticness]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });

  it('are absent for the reason the loudness or the timbre is', () => {
    const silent = song({ plrLu: null });
    for (const sound of ['silence', 'too_short'] as const) {
      const reasons = { sound, rhythm: null, tonal: null };
      const { unavailable } = computeDescriptors({ ...silent, reasons });
      expect(unavailable).toEqual({ energy: sound, acousticness: sound });
      const dark = computeDescriptors({ ...song({ centroidHz: null }), reasons });
      expect(dark.unavailable).toEqual({ energy: sound, valence: sound });
    }
  });

  it('of noise too soft to have a loudness are absent because of silence, not length', () => {
    const hiss = makeNoise(22_050 * 8, 5e-5);
    const { unavailable } = analyse({ sampleRateHz: 22_050, channelCount: 1 }, [{ channels: [hiss] }]);
    expect(unavailable['loudness.integrated_lufs']).toBe('silence');
    expect(unavailable).toMatchObject({ energy: 'silence', acousticness: 'silence' });
  });

  it('have a reason for each absence of tempo or key', () => {
    const explain = (change: Parameters<typeof song>[0], reasons: Partial<DescriptorInput['reasons']>) => {
      const input = song(change);
      return computeDescriptors({ ...input, reasons: { ...input.reasons, ...reasons } }).unavailable;
    };
    expect(explain({ bpm: null }, { rhythm: 'outside_hint' })).toEqual({
      danceability: 'outside_hint',
      valence: 'outside_hint',
    });
    expect(explain({ scale: null }, { tonal: 'no_pitched_content' })).toEqual({
      valence: 'no_pitched_content',
    });
    const both = { rhythm: 'outside_hint', tonal: 'no_pitched_content' } as const;
    expect(explain({ bpm: null, scale: null }, both).valence).toBe('outside_hint');
    expect(computeDescriptors({ ...song({}), rhythm: null }).unavailable).toEqual({
      energy: 'not_requested',
      danceability: 'not_requested',
      valence: 'not_requested',
    });
    expect(computeDescriptors({ ...song({}), tonal: null }).unavailable).toEqual({
      valence: 'not_requested',
    });
  });

  it('do not depend on the gain of the file', () => {
    const bursts = makeNoise(22_050 * 8, 0.5).map((value, index) =>
      index % 11_025 < 2_000 ? value : value * 0.01,
    );
    const summaryAt = (gain: number) =>
      analyse({ sampleRateHz: 22_050, channelCount: 1 }, [
        { channels: [bursts.map((value) => value * gain)] },
      ]).summary;
    const [loud, quiet] = [summaryAt(1), summaryAt(0.25)];
    expect(loud.energy).not.toBeNull();
    // With less gain, bands near the silence floor fall below it.
    expect(Math.abs(loud.energy! - quiet.energy!)).toBeLessThan(0.01);
    expect(Math.abs(loud.acousticness! - quiet.acousticness!)).toBeLessThan(0.01);
  });
});
