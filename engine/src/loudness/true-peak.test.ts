import { expect, it } from 'vitest';
import { STAGE_SAMPLES } from '../signal/block-stage.ts';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { meterSignal } from './test-meter-signals.ts';
import { findTruePeakTwin } from './true-peak-twin.ts';

/** Silence but for two equal samples, between which the wave rises by a quarter, as the filter shows six samples later. */
const makePair = (at: number) => new Float32Array(5000).fill(0.7, at, at + 2);

it('equals its twin for a sine, for rising and falling peaks, and for a peak at the end of a block or of the signal', () => {
  const rising = makeNoise(5000, 1, 9).map((value, n) => value * (n / 5000));
  const falling = rising.toReversed();
  const sine = makeSine(5000, 7000, 48_000, 0.7, 0.3);
  for (const signal of [rising, falling, sine, makePair(STAGE_SAMPLES - 2), makePair(4998)]) {
    const silence = new Float32Array(5000);
    // In either channel, so that neither is taken for the other.
    for (const channels of [
      [signal, silence],
      [silence, signal],
    ]) {
      const measured = 10 ** (meterSignal(channels, 48_000).loudness.truePeakDbtp! / 20);
      // Single precision over twelve taps.
      expect(measured / findTruePeakTwin(signal)).toBeCloseTo(1, 5);
    }
  }
});
