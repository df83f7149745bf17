import { expect, it } from 'vitest';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { meterSignal } from './test-meter-signals.ts';
import { findTruePeakTwin } from './true-peak-twin.ts';

it('equals its twin for a sine, for rising peaks, and for falling ones, where it skips blocks', () => {
  const rising = makeNoise(5000, 1, 9).map((value, n) => value * (n / 5000));
  const falling = rising.toReversed();
  for (const signal of [rising, falling, makeSine(5000, 7000, 48_000, 0.7, 0.3)]) {
    // The second of two channels, so that a channel is not taken for the other.
    const { loudness } = meterSignal([new Float32Array(5000), signal], 48_000);
    const measured = 10 ** (loudness.truePeakDbtp! / 20);
    // Single precision over twelve taps.
    expect(measured / findTruePeakTwin(signal)).toBeCloseTo(1, 5);
  }
});
