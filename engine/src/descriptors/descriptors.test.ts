import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { computeDescriptors, type DescriptorInput } from './descriptors.ts';

/** A middling song of which a test changes one thing. */
function song(change: {
  plrLu?: number | null;
  onsetRateHz?: number;
  centroidHz?: number | null;
  flux?: number;
  flatness?: number;
  bpm?: number | null;
  stability?: number;
  scale?: 'major' | 'minor';
}): DescriptorInput {
  const given = {
    plrLu: 12,
    onsetRateHz: 3,
    centroidHz: 1500,
    flux: 0.12,
    flatness: 0.2,
    bpm: 110,
    stability: 0.8,
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
    tonal: { scale: change.scale ?? 'major', confidence: 0.9 },
    speechiness: null,
    instrumentalness: null,
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

  it('stay within 0 and 1 at the extremes', () => {
    for (const extreme of [-1e6, 0, 1e6]) {
      const rated = rate({ plrLu: extreme, onsetRateHz: extreme, flux: extreme, flatness: extreme });
      for (const value of [rated.energy, rated.acousticness]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });

  it('say why they are absent', () => {
    const { descriptors, unavailable } = computeDescriptors(song({ bpm: null }));
    expect(descriptors.danceability).toBeNull();
    expect(unavailable).toEqual({ danceability: 'no_pulse', valence: 'no_pulse' });
  });

  it('do not hear the gain of the file', () => {
    const bursts = makeNoise(22_050 * 8, 0.5).map((value, index) =>
      index % 11_025 < 2_000 ? value : value * 0.01,
    );
    const summaryAt = (gain: number) =>
      analyse({ sampleRateHz: 22_050, channelCount: 1 }, [
        { channels: [bursts.map((value) => value * gain)] },
      ]).summary;
    const [loud, quiet] = [summaryAt(1), summaryAt(0.25)];
    expect(loud.energy).not.toBeNull();
    // Band energies near the silence floor may fall on its other side: a hundredth is not heard as a difference.
    expect(Math.abs(loud.energy! - quiet.energy!)).toBeLessThan(0.01);
    expect(Math.abs(loud.acousticness! - quiet.acousticness!)).toBeLessThan(0.01);
  });
});
