import { expect, it } from 'vitest';
import type { QualityEvent } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeSine } from '../signal/test-signals.ts';
import { createClippingDetector } from './clipping.ts';
import { findFlatTopsReference } from './clipping-twin.ts';

const RATE_HZ = 44_100;
const BLOCK_SAMPLES = 1000;

/** What is found in these samples, block after block. */
function listen(samples: Float32Array): QualityEvent[] {
  const kernels = createKernels();
  const events: QualityEvent[] = [];
  const detector = createClippingDetector(kernels, RATE_HZ, 0, (event) => events.push(event));
  const block = kernels.allocateFloats(BLOCK_SAMPLES);
  for (let from = 0; from < samples.length; from += BLOCK_SAMPLES) {
    block.view.set(samples.subarray(from, from + BLOCK_SAMPLES));
    detector.take(block.pointer, BLOCK_SAMPLES, kernels.exports.findPeak(block.pointer, BLOCK_SAMPLES));
  }
  detector.finish();
  return events;
}

const clip = (samples: Float32Array, level: number): Float32Array =>
  samples.map((value) => Math.max(-level, Math.min(level, value)));

it('flat tops equal their twin, also across blocks', () => {
  const clipped = clip(makeSine(4000, 700, RATE_HZ, 1.5), 0.8);
  const expected = findFlatTopsReference(clipped, 0.98 * 0.8);
  expect(expected.length).toBeGreaterThan(50);
  // All runs lie within 50 ms of each other, so they make one event that holds all their samples.
  const [event, ...others] = listen(clipped);
  expect(others).toEqual([]);
  const { startSeconds, endSeconds, severity } = event!;
  const [firstEnd, firstLength] = expected[0]!;
  expect(startSeconds * RATE_HZ).toBeCloseTo(firstEnd - firstLength + 1, 6);
  const clippedSamples = expected.reduce((sum, [, length]) => sum + length, 0);
  expect(severity * (endSeconds - startSeconds) * RATE_HZ).toBeCloseTo(clippedSamples, 6);
});

it('is none of a level that the channel later exceeds', () => {
  const [low, high] = [0.7, 0.9].map((level) => clip(makeSine(4000, 700, RATE_HZ, 1.5), level));
  const apart = new Float32Array(4000);
  const [event, ...others] = listen(Float32Array.from([...low!, ...apart, ...high!]));
  expect(others).toEqual([]);
  expect(event!.startSeconds).toBeGreaterThanOrEqual(8000 / RATE_HZ);
});

it('is not looked for below -6 dBFS', () => {
  expect(listen(clip(makeSine(4000, 700, RATE_HZ, 1.5), 0.49))).toEqual([]);
});
