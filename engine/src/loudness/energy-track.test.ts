import { expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { createEnergyMeter } from './energy-track.ts';
import { sumWeightedSquaresTwin } from './energy-track-twin.ts';

it.each([1, 2, 3])('weighted energy of %d channels equals its twin', (channelCount) => {
  const rateHz = 44_100;
  const windowSamples = 0.4 * rateHz;
  const channels = Array.from({ length: channelCount }, (_, c) => makeNoise(windowSamples, 0.5, c + 1));
  const kernels = createKernels();
  const meter = createEnergyMeter(kernels, rateHz, channelCount);
  const stage = createBlockStage(kernels, channelCount, meter.take);
  stage.push({ channels });
  stage.finish();
  const { momentaryEnergies } = meter.finish();
  const expected = channels.reduce((sum, samples) => sum + sumWeightedSquaresTwin(samples, rateHz), 0);
  expect(momentaryEnergies).toHaveLength(1);
  // Direct form I against the transposed form II, both in double precision.
  expect(momentaryEnergies[0]! / (expected / windowSamples)).toBeCloseTo(1, 9);
});

it('decays to exactly zero in silence, without denormal numbers', () => {
  const kernels = createKernels();
  const meter = createEnergyMeter(kernels, 48_000, 1);
  const block = kernels.copyFloats(makeNoise(4096));
  meter.take({ channels: [block.pointer], peaks: [1], sampleCount: 4096 });
  block.view.fill(0);
  for (let i = 0; i < 200; i++) meter.take({ channels: [block.pointer], peaks: [1], sampleCount: 4096 });
  expect(meter.finish().momentaryEnergies.at(-1)).toBe(0);
});
