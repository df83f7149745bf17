import { expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { createFrameAverager } from './frame-averager.ts';

const BINS = 81;
const FRAMES = 700;
const matrix = { frameRateHz: 50, binCount: BINS, frameCount: FRAMES, data: makeNoise(BINS * FRAMES) };

const RANGES = [
  [0, 1],
  [5, 105],
  [200, 300],
  [300, 500],
  [500, 700],
  [0, 700],
] as const;

// Frames are copied to kernel memory in windows of 256, so three of the ranges cross the end of a window and are averaged in pieces.
it('averages one range of frames after another', () => {
  const { average, mean } = createFrameAverager(createKernels(), matrix);
  for (const [first, end] of RANGES) {
    average(first, end);
    for (let bin = 0; bin < BINS; bin++) {
      let sum = 0;
      for (let frame = first; frame < end; frame++) sum += matrix.data[frame * BINS + bin]!;
      // The kernel sums in single precision.
      expect(mean.view[bin], `frames ${first} to ${end}`).toBeCloseTo(sum / (end - first), 5);
    }
    expect([...mean.view.subarray(BINS)]).toEqual([0, 0, 0]);
  }
});

it('gives zeros for no frames, even after averaging others', () => {
  const { average, mean } = createFrameAverager(createKernels(), matrix);
  average(0, 10);
  average(10, 10);
  expect(mean.view.every((value) => value === 0)).toBe(true);
});
