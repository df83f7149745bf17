import { describe, expect, it } from 'vitest';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { analyseSpectra, makeCadence, RATE_HZ, renderChords } from './test-progressions.ts';
import { estimateTuning } from './tuning.ts';

const tuningOf = (signal: Float32Array) => estimateTuning(analyseSpectra(signal).pitch);

describe('tuning', () => {
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

  it('is absent from silence and from nothing', () => {
    expect(tuningOf(new Float32Array(RATE_HZ))).toBeNull();
    expect(tuningOf(new Float32Array(0))).toBeNull();
  });
});
