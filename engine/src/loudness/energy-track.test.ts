import { expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { createEnergyMeter, PAIR_STATE_DOUBLES, SUMS_INDEX } from './energy-track.ts';
import { sumWeightedSquaresTwin } from './energy-track-twin.ts';
import { designKWeighting } from './k-weighting.ts';

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

it('the filters decay to exactly zero in silence, without denormal numbers', () => {
  const kernels = createKernels();
  const coefficients = kernels.copyDoubles(
    designKWeighting(48_000).flatMap(({ b0, b1, b2, a1, a2 }) => [b0, b1, b2, a1, a2]),
  ).pointer;
  const { pointer: state, view } = kernels.allocateDoubles(PAIR_STATE_DOUBLES);
  const block = kernels.copyFloats(makeNoise(4096));
  const filter = () =>
    kernels.exports.sumWeightedSquares(block.pointer, block.pointer, 4096, coefficients, state);
  filter();
  block.view.fill(0);
  // 1.7 s, in which an unaided decay reaches 1e-178; after minutes it is a denormal number, never zero.
  for (let n = 0; n < 20; n++) filter();
  expect([...view.subarray(0, SUMS_INDEX)]).toEqual(new Array(SUMS_INDEX).fill(0));
});
