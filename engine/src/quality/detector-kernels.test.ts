import { expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { createClippingDetector } from './clipping.ts';
import { findFlatTopsReference } from './clipping-twin.ts';
import { createStretchReader } from './stretches.ts';
import { summariseStretchesReference } from './stretches-twin.ts';

it('stretches equal their twin', () => {
  const kernels = createKernels();
  const noise = makeNoise(1024);
  // The kernel looks two samples back.
  const region = kernels.allocateFloats(1024 + 4);
  region.view.set(noise, 4);
  const stretches = createStretchReader(kernels, 1024)(region.pointer + 16, 1024);
  const expected = summariseStretchesReference(noise);
  expect(stretches.count).toBe(32);
  // Single precision over 32 samples.
  for (const name of ['peaks', 'jolts', 'sums', 'squareSums'] as const) {
    expected[name].forEach((value, index) => {
      expect(stretches[name][index]).toBeCloseTo(value, 5);
    });
  }
});

it('flat tops equal their twin, also across blocks', () => {
  const clipped = makeSine(4000, 700, 44_100, 1.5).map((value) => Math.max(-0.8, Math.min(0.8, value)));
  const expected = findFlatTopsReference(clipped, 0.98 * 0.8);
  expect(expected.length).toBeGreaterThan(50);
  const kernels = createKernels();
  const found: [number, number][] = [];
  const detector = createClippingDetector(kernels, 44_100, 0, ({ startSeconds, endSeconds, severity }) => {
    found.push([startSeconds * 44_100, severity * (endSeconds - startSeconds) * 44_100]);
  });
  const block = kernels.allocateFloats(1000);
  for (let from = 0; from < 4000; from += 1000) {
    block.view.set(clipped.subarray(from, from + 1000));
    detector.take(block.pointer, 1000, kernels.exports.findPeak(block.pointer, 1000));
  }
  detector.finish();
  // All runs lie within 50 ms of each other, so they make one event that holds all their samples.
  const samples = expected.reduce((sum, [, length]) => sum + length, 0);
  expect(found).toHaveLength(1);
  // Counted in samples: what is left is the rounding of seconds.
  expect(found[0]![0]).toBeCloseTo(expected[0]![0] - expected[0]![1] + 1, 6);
  expect(found[0]![1]).toBeCloseTo(samples, 6);
});
