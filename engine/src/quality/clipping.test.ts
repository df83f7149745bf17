import { expect, it } from 'vitest';
import type { QualityEvent } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeSine } from '../signal/test-signals.ts';
import { createClippingDetector } from './clipping.ts';
import { findFlatTopsTwin } from './clipping-twin.ts';

const RATE_HZ = 44_100;
const BLOCK_SAMPLES = 1000;

/** The clipping found in these samples, which are passed in blocks. */
function listen(samples: Float32Array): QualityEvent[] {
  const kernels = createKernels();
  const events: QualityEvent[] = [];
  const detector = createClippingDetector(kernels, RATE_HZ, 1, (event) => events.push(event));
  const block = kernels.allocateFloats(BLOCK_SAMPLES);
  for (let from = 0; from < samples.length; from += BLOCK_SAMPLES) {
    block.view.fill(0);
    block.view.set(samples.subarray(from, from + BLOCK_SAMPLES));
    detector.take(block.pointer, BLOCK_SAMPLES, kernels.exports.findPeak(block.pointer, BLOCK_SAMPLES));
  }
  detector.finish();
  return events;
}

const clip = (samples: Float32Array, level: number): Float32Array =>
  samples.map((value) => Math.max(-level, Math.min(level, value)));

it('finds the flat tops that the twin of its kernel finds, also across blocks', () => {
  const clipped = clip(makeSine(4000, 700, RATE_HZ, 1.5), 0.8);
  const expected = findFlatTopsTwin(clipped, 0.98 * 0.8);
  // One in each half period of 31.5 samples.
  expect(expected).toHaveLength(127);
  // All runs are within 50 ms of each other, so they make one event.
  const [event, ...others] = listen(clipped);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ kind: 'clipping', channel: 1 });
  const { startSeconds, endSeconds, severity } = event!;
  const [firstLastSample, firstSamples] = expected[0]!;
  expect(startSeconds * RATE_HZ).toBeCloseTo(firstLastSample - firstSamples + 1, 6);
  const clippedSamples = expected.reduce((sum, [, length]) => sum + length, 0);
  expect(severity * (endSeconds - startSeconds) * RATE_HZ).toBeCloseTo(clippedSamples, 6);
});

it('drops flat tops if the channel later exceeds their level by more than 2 %', () => {
  const [low, middle, high] = [0.88, 0.89, 0.9].map((level) =>
    clip(makeSine(4000, 700, RATE_HZ, 1.5), level),
  );
  const apart = new Float32Array(4000);
  expect(listen(Float32Array.from([...middle!, ...apart, ...high!]))).toHaveLength(2);
  const [event, ...others] = listen(Float32Array.from([...low!, ...apart, ...high!]));
  expect(others).toEqual([]);
  const [lastSample, samples] = findFlatTopsTwin(high!, 0.98 * 0.9)[0]!;
  expect(event!.startSeconds * RATE_HZ).toBeCloseTo(8000 + lastSample - samples + 1, 6);
});

it('keeps a burst whose highest flat tops remain within 2 % of the loudest sample', () => {
  // The first third is 2.2 % below the last, the second third 0.6 %.
  const levels = [0.885, 0.9, 0.905];
  const rising = makeSine(3000, 700, RATE_HZ, 1.5).map((value, n) => {
    const level = levels[Math.floor(n / BLOCK_SAMPLES)]!;
    return Math.max(-level, Math.min(level, value));
  });
  const [event, ...others] = listen(rising);
  expect(others).toEqual([]);
  expect(event!.startSeconds * RATE_HZ).toBeLessThan(BLOCK_SAMPLES);
});

it('ignores flat tops below -6 dBFS', () => {
  expect(listen(clip(makeSine(4000, 700, RATE_HZ, 1.5), 0.49))).toEqual([]);
  expect(listen(clip(makeSine(4000, 700, RATE_HZ, 1.5), 0.51))).toHaveLength(1);
});

it('begins anew after a block that is too quiet to search', () => {
  /** Samples at one level before and after a block below 98 % of it; the event starts with the second of the two runs. */
  const listenAround = (countBefore: number, countAfter: number) => {
    const samples = new Float32Array(3 * BLOCK_SAMPLES);
    samples.fill(0.8, BLOCK_SAMPLES - countBefore, BLOCK_SAMPLES);
    samples.fill(0.7, BLOCK_SAMPLES, 2 * BLOCK_SAMPLES);
    samples.fill(0.8, 2 * BLOCK_SAMPLES, 2 * BLOCK_SAMPLES + countAfter);
    return listen(samples).map(({ startSeconds }) => Math.round(startSeconds * RATE_HZ));
  };
  expect(listenAround(2, 2)).toEqual([]);
  expect(listenAround(2, 3)).toEqual([2 * BLOCK_SAMPLES]);
});

it('makes one event of bursts less than 50 ms apart, and two of bursts further apart', () => {
  const burst = clip(makeSine(500, 700, RATE_HZ, 1.5), 0.8);
  const listenApart = (seconds: number) =>
    listen(Float32Array.from([...burst, ...new Float32Array(Math.round(seconds * RATE_HZ)), ...burst]));
  expect(listenApart(0.045)).toHaveLength(1);
  expect(listenApart(0.055)).toHaveLength(2);
});
