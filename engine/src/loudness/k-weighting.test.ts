import { describe, expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { createEnergyMeter } from './energy-track.ts';
import { sumWeightedSquaresReference } from './energy-track-twin.ts';
import { designKWeighting } from './k-weighting.ts';
import { meterSignal } from './test-meter-signals.ts';
import { findTruePeakReference } from './true-peak-twin.ts';

it('yields the published coefficients at 48 kHz', () => {
  const [shelf, highPass] = designKWeighting(48_000);
  // Tables 1 and 2 of BS.1770-5, printed to 14 digits.
  expect(shelf.b0).toBeCloseTo(1.53512485958697, 12);
  expect(shelf.b1).toBeCloseTo(-2.69169618940638, 12);
  expect(shelf.b2).toBeCloseTo(1.19839281085285, 12);
  expect(shelf.a1).toBeCloseTo(-1.69065929318241, 12);
  expect(shelf.a2).toBeCloseTo(0.73248077421585, 12);
  expect(highPass).toMatchObject({ b0: 1, b1: -2, b2: 1 });
  expect(highPass.a1).toBeCloseTo(-1.99004745483398, 12);
  expect(highPass.a2).toBeCloseTo(0.99007225036621, 12);
});

describe('the kernels equal their twins', () => {
  it.each([1, 2, 3])('weighted energy of %d channels', (channelCount) => {
    const rateHz = 44_100;
    const channels = Array.from({ length: channelCount }, (_, c) => makeNoise(17_640, 0.5, c + 1));
    const kernels = createKernels();
    const meter = createEnergyMeter(kernels, rateHz, channelCount);
    const stage = createBlockStage(kernels, channelCount, meter.take);
    stage.push({ channels });
    stage.finish();
    const { momentaryEnergies } = meter.finish();
    const expected = channels.reduce((sum, samples) => sum + sumWeightedSquaresReference(samples, rateHz), 0);
    // 17,640 samples are one window of 400 ms. Two forms of the filters, both in double precision.
    expect(momentaryEnergies).toHaveLength(1);
    expect(momentaryEnergies[0]! / (expected / 17_640)).toBeCloseTo(1, 9);
  });

  it('true peak, where peaks rise and where stretches are passed over', () => {
    const rising = makeNoise(5000, 1, 9).map((value, n) => value * (n / 5000));
    const falling = rising.toReversed();
    for (const signal of [rising, falling, makeSine(5000, 7000, 48_000, 0.7, 0.3)]) {
      const measured = 10 ** (meterSignal([signal], 48_000).loudness.truePeakDbtp! / 20);
      // Single precision over twelve taps.
      expect(measured / findTruePeakReference(signal)).toBeCloseTo(1, 5);
    }
  });
});

it('lets its registers come to rest in silence', () => {
  const kernels = createKernels();
  const meter = createEnergyMeter(kernels, 48_000, 1);
  const block = kernels.copyFloats(makeNoise(4096));
  meter.take({ channels: [block.pointer], peaks: [1], sampleCount: 4096 });
  block.view.fill(0);
  for (let i = 0; i < 200; i++) meter.take({ channels: [block.pointer], peaks: [1], sampleCount: 4096 });
  const { momentaryEnergies } = meter.finish();
  expect(momentaryEnergies.at(-1)).toBe(0);
});
