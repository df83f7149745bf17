import { describe, expect, it } from 'vitest';
import { createFrontEnd, type SpectralFrames } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import { createMeanSpectrumMeter, type MeanSpectrum } from '../signal/mean-spectrum.ts';
import { addSignals, makeImpulse, makeMusic, makeNoise, makeSine } from '../signal/test-signals.ts';
import { measureTimbre } from './timbre.ts';

const RATE_HZ = 44_100;
const BLOCK_SAMPLES = 4096;

function takeSpectra(signal: Float32Array): { frames: SpectralFrames; spectrum: MeanSpectrum } {
  const kernels = createKernels();
  const frontEnd = createFrontEnd(kernels, RATE_HZ, BLOCK_SAMPLES);
  const meter = createMeanSpectrumMeter(kernels, RATE_HZ);
  const block = kernels.allocateFloats(BLOCK_SAMPLES);
  for (let from = 0; from < signal.length; from += BLOCK_SAMPLES) {
    const piece = signal.subarray(from, from + BLOCK_SAMPLES);
    block.view.set(piece);
    meter.take(block.pointer, piece.length);
    frontEnd.push(block.pointer, piece.length);
  }
  return { frames: frontEnd.finish(), spectrum: meter.finish() };
}

const measure = (signal: Float32Array) => {
  const { frames, spectrum } = takeSpectra(signal);
  return measureTimbre(frames, spectrum);
};

const SECONDS = 4;
const COUNT = SECONDS * RATE_HZ;

describe('spectral shape', () => {
  it.each([200, 1000, 5000])('of a sine of %d Hz is at that frequency', (frequencyHz) => {
    const { timbre } = measure(makeSine(COUNT, frequencyHz, RATE_HZ, 0.5));
    // A mel band is about a tenth of its frequency wide, and never less than 43 Hz.
    const toleranceHz = Math.max(43, 0.1 * frequencyHz);
    expect(Math.abs(timbre.centroidHz! - frequencyHz)).toBeLessThan(toleranceHz);
    expect(Math.abs(timbre.rolloffHz! - frequencyHz)).toBeLessThan(toleranceHz);
    // A tone fills a few of the 81 bands, and changes at its two ends only.
    expect(timbre.flatness).toBeLessThan(0.05);
    expect(timbre.flux).toBeLessThan(0.01);
  });

  it('of white noise is flat, centred on 5 kHz, and changes from frame to frame', () => {
    const { timbre } = measure(makeNoise(COUNT, 0.5));
    // Single bins of noise, whose magnitudes have a Rayleigh distribution, would have 0.85; a band is a mean over several.
    expect(timbre.flatness).toBeGreaterThan(0.85);
    // Bands reach from 30 Hz to 10 kHz, so white noise has its mean near 5 kHz and 85 % of its power below 8.5 kHz.
    expect(timbre.centroidHz).toBeGreaterThan(4500);
    expect(timbre.centroidHz).toBeLessThan(5500);
    expect(timbre.rolloffHz).toBeGreaterThan(7800);
    expect(timbre.rolloffHz).toBeLessThan(9200);
    expect(timbre.flux).toBeGreaterThan(0.05);
  });

  it('rises with brightness', () => {
    const dark = measure(makeMusic(RATE_HZ, SECONDS)).timbre;
    const bright = measure(addSignals(makeMusic(RATE_HZ, SECONDS), makeNoise(COUNT, 0.05, 9))).timbre;
    expect(bright.centroidHz!).toBeGreaterThan(dark.centroidHz!);
    expect(bright.flatness!).toBeGreaterThan(dark.flatness!);
  });
});

describe('contrast', () => {
  it('is large for a tone in its octave and small for noise', () => {
    const tone = measure(makeSine(COUNT, 523.25, RATE_HZ, 0.5)).timbre.contrastDb;
    const noise = measure(makeNoise(COUNT, 0.5)).timbre.contrastDb;
    expect(tone).toHaveLength(6);
    // 100 dB is the limit; frames at the two ends of the tone have less.
    expect(tone[3]).toBeGreaterThan(80);
    // Of magnitudes with a Rayleigh distribution, the means of the highest and the lowest five in 24 are 14 dB apart; wider bands vary less.
    expect(noise).toHaveLength(6);
    for (const value of noise) expect(value).toBeLessThan(14);
  });
});

describe('cepstrum', () => {
  it('of a steady sound varies far less than that of music', () => {
    const trace = ({ mfccCovariance }: { mfccCovariance: number[][] }): number =>
      mfccCovariance.reduce((sum, row, k) => sum + row[k]!, 0);
    const steady = trace(measure(makeNoise(COUNT, 0.5)).timbre);
    expect(steady).toBeLessThan(0.1 * trace(measure(makeMusic(RATE_HZ, SECONDS)).timbre));
  });
});

describe('tonal balance', () => {
  it('of white noise is brighter than that of released music', () => {
    const { tonalBalance } = measure(makeNoise(COUNT, 0.5)).timbre;
    expect(tonalBalance.map(({ band }) => band)).toEqual([
      'sub',
      'bass',
      'low_mid',
      'mid',
      'high_mid',
      'presence',
      'air',
    ]);
    const deviations = tonalBalance.map(({ deviationDb }) => deviationDb);
    // From the bass up the reference only falls.
    expect(deviations.slice(1)).toEqual(deviations.slice(1).toSorted((a, b) => a - b));
    expect(deviations[1]).toBeLessThan(0);
    expect(deviations[6]).toBeGreaterThan(0);
    // Means over dozens of bins and frames.
    for (const { levelDb } of tonalBalance.slice(1)) expect(Math.abs(levelDb)).toBeLessThan(1);
  });

  it('of a bass tone is highest in the bass band', () => {
    const { tonalBalance } = measure(makeSine(COUNT, 120, RATE_HZ, 0.5)).timbre;
    const loudest = tonalBalance.reduce((a, b) => (b.levelDb > a.levelDb ? b : a));
    expect(loudest.band).toBe('bass');
  });
});

it('does not depend on gain', () => {
  const music = makeMusic(RATE_HZ, SECONDS);
  const loud = measure(music).timbre;
  const soft = measure(music.map((value) => value / 8)).timbre;
  // Spectra have single precision.
  expect(soft.centroidHz).toBeCloseTo(loud.centroidHz!, 3);
  expect(soft.flatness).toBeCloseTo(loud.flatness!, 5);
  expect(soft.flux).toBeCloseTo(loud.flux!, 5);
  soft.mfccMean.forEach((value, k) => {
    expect(value).toBeCloseTo(loud.mfccMean[k]!, 3);
  });
});

describe('little or no sound', () => {
  it.each([
    ['no samples', 0, 'too_short'],
    ['silence', COUNT, 'silence'],
  ])('%s has no timbre, for a reason', (_, count, reason) => {
    const { timbre, unavailable } = measure(new Float32Array(count));
    expect(timbre).toEqual({
      mfccMean: [],
      mfccCovariance: [],
      centroidHz: null,
      rolloffHz: null,
      flatness: null,
      flux: null,
      contrastDb: [],
      tonalBalance: [],
    });
    expect(unavailable).toEqual({
      'timbre.mfcc_mean': reason,
      'timbre.mfcc_covariance': reason,
      'timbre.centroid_hz': reason,
      'timbre.rolloff_hz': reason,
      'timbre.flatness': reason,
      'timbre.flux': reason,
      'timbre.contrast_db': reason,
      'timbre.tonal_balance': reason,
    });
  });

  it.each([
    ['shorter than a block', makeSine(4000, 440, RATE_HZ, 0.5)],
    [
      'in blocks that the mean spectrum skips',
      Float32Array.from([...new Float32Array(4096), ...makeSine(7904, 440, RATE_HZ, 0.5)]),
    ],
  ])('a tone %s has a timbre but no tonal balance: too short', (_, signal) => {
    const { timbre, unavailable } = measure(signal);
    expect(timbre.centroidHz).not.toBeNull();
    expect(unavailable).toEqual({ 'timbre.tonal_balance': 'too_short' });
  });

  it('one sample, a constant and an impulse give finite numbers', () => {
    for (const signal of [
      Float32Array.of(0.5),
      new Float32Array(COUNT).fill(0.5),
      makeImpulse(COUNT, 5000),
    ]) {
      const { timbre } = measure(signal);
      expect(JSON.parse(JSON.stringify(timbre))).toEqual(timbre);
    }
  });
});
