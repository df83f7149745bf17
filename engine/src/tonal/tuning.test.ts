import { describe, expect, it } from 'vitest';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { makeCadence, RATE_HZ, renderChords } from './test-progressions.ts';
import { estimateTuning } from './tuning.ts';

const tuningOf = (signal: Float32Array) => estimateTuning(analyseSpectra(signal).pitch);

/** More than one window of the kernels, with the same peaks in every frame: a band, its magnitude and that of the band above. */
function drawPeaks(...peaks: [band: number, magnitude: number, above: number][]) {
  const data = new Float32Array(300 * 144);
  for (let frame = 0; frame < 300; frame++) {
    for (const [band, magnitude, above] of peaks) data.set([magnitude, above], frame * 144 + band);
  }
  return { frameRateHz: 10, binCount: 144, frameCount: 300, data };
}

describe('tuning', () => {
  it('is the position of a peak between the half-semitone bands', () => {
    // The centre of gravity of magnitudes 2 and 1 is a third of a band up.
    const tuning = estimateTuning(drawPeaks([60, 2, 1]))!;
    expect(tuning.cents).toBeCloseTo(50 / 3, 9);
    expect(tuning.referenceHz).toBeCloseTo(440 * 2 ** (50 / 3 / 1200), 9);
    expect(tuning.concentration).toBeCloseTo(1, 9);
  });

  it('is the circular mean of the peaks, weighted by their magnitudes', () => {
    // A peak a quarter tone off is opposite to one in tune: (3 - 1) / 4.
    const tuning = estimateTuning(drawPeaks([60, 3, 0], [71, 1, 0]))!;
    expect(tuning.cents).toBeCloseTo(0, 9);
    expect(tuning.concentration).toBeCloseTo(0.5, 9);
    // Angles of 90° and 0° with equal weights give 45°, which is 12.5 cents.
    const between = estimateTuning(drawPeaks([60, 1, 1], [80, 1, 0]))!;
    expect(between.cents).toBeCloseTo(12.5, 9);
    expect(between.concentration).toBeCloseTo(Math.SQRT1_2, 9);
  });

  it.each([-40, -30, -20, -10, 0, 10, 20, 30, 40])('is found for chords %i cents off', (cents) => {
    const tuning = tuningOf(renderChords(makeCadence(3), cents))!;
    // Overlapping partials shift single peaks; the mean stays within three cents.
    expect(Math.abs(tuning.cents - cents)).toBeLessThan(3);
    expect(tuning.concentration).toBeGreaterThan(0.8);
  });

  it('ignores peaks below C4, and those of at most a tenth of the largest', () => {
    expect(estimateTuning(drawPeaks([47, 1, 0]))).toBeNull();
    expect(estimateTuning(drawPeaks([48, 1, 0]))).not.toBeNull();
    expect(estimateTuning(drawPeaks([60, 10, 0], [71, 1, 0]))!.concentration).toBeCloseTo(1, 9);
    expect(estimateTuning(drawPeaks([60, 10, 0], [71, 1.1, 0]))!.concentration).toBeCloseTo(8.9 / 11.1, 6);
  });

  it('includes the reference pitch in hertz', () => {
    const tuning = tuningOf(makeSine(3 * RATE_HZ, 442, RATE_HZ))!;
    // 7.9 cents sharp; a lone sine is located to within 1.5 cents, 0.4 Hz.
    expect(Math.abs(tuning.referenceHz - 442)).toBeLessThan(0.4);
  });

  it('has a low concentration in noise', () => {
    expect(tuningOf(makeNoise(5 * RATE_HZ))!.concentration).toBeLessThan(0.1);
  });

  it('does not depend on the level', () => {
    const signal = renderChords(makeCadence(0), 12);
    expect(tuningOf(signal.map((x) => x / 64))!.cents).toBeCloseTo(tuningOf(signal)!.cents, 3);
  });

  it('is null in silence and without sound', () => {
    expect(tuningOf(new Float32Array(RATE_HZ))).toBeNull();
    expect(tuningOf(new Float32Array(0))).toBeNull();
  });
});
