import { describe, expect, it } from 'vitest';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { makeCadence, RATE_HZ, renderChords } from './test-progressions.ts';
import { estimateTuning } from './tuning.ts';

const tuningOf = (signal: Float32Array) => estimateTuning(analyseSpectra(signal).pitch);

/** More frames than are held at a time, all with the same peaks: a band, its height and that of its upper neighbour. */
function drawPeaks(...peaks: [band: number, height: number, above: number][]) {
  const data = new Float32Array(300 * 144);
  for (let frame = 0; frame < 300; frame++) {
    for (const [band, height, above] of peaks) data.set([height, above], frame * 144 + band);
  }
  return { frameRateHz: 10, binCount: 144, frameCount: 300, data };
}

describe('tuning', () => {
  it('is where the peak lies between the half semitones', () => {
    // The centre of gravity of heights 2 and 1 is a third of a band up.
    const tuning = estimateTuning(drawPeaks([60, 2, 1]))!;
    expect(tuning.cents).toBeCloseTo(50 / 3, 9);
    expect(tuning.referenceHz).toBeCloseTo(440 * 2 ** (50 / 3 / 1200), 9);
    expect(tuning.concentration).toBeCloseTo(1, 9);
  });

  it('is the circular mean of the peaks, weighted by their heights', () => {
    // A peak a quarter tone off points the other way than one in tune: 3 - 1 of 4.
    const tuning = estimateTuning(drawPeaks([60, 3, 0], [71, 1, 0]))!;
    expect(tuning.cents).toBeCloseTo(0, 9);
    expect(tuning.concentration).toBeCloseTo(0.5, 9);
    // Angles of 90° and 0° with equal weights: 45°, 12.5 cents.
    const between = estimateTuning(drawPeaks([60, 1, 1], [80, 1, 0]))!;
    expect(between.cents).toBeCloseTo(12.5, 9);
    expect(between.concentration).toBeCloseTo(Math.SQRT1_2, 9);
  });

  it.each([-40, -30, -20, -10, 0, 10, 20, 30, 40])('hears chords %i cents off', (cents) => {
    const tuning = tuningOf(renderChords(makeCadence(3), cents))!;
    // Overlapping partials pull single peaks; the mean stays within three cents.
    expect(Math.abs(tuning.cents - cents)).toBeLessThan(3);
    expect(tuning.concentration).toBeGreaterThan(0.8);
  });

  it('gives the reference pitch in hertz', () => {
    const tuning = tuningOf(makeSine(3 * RATE_HZ, 442, RATE_HZ))!;
    // 7.9 cents sharp; a lone sine is placed to 1.5 cents, 0.4 Hz.
    expect(Math.abs(tuning.referenceHz - 442)).toBeLessThan(0.4);
  });

  it('finds no agreement in noise', () => {
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
