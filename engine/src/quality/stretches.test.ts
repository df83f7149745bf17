import { expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { createStretchReader } from './stretches.ts';
import { summariseStretchesTwin } from './stretches-twin.ts';

it('summarises stretches as its twin does, the last with zeros after the end', () => {
  const kernels = createKernels();
  const noise = makeNoise(1000);
  // The kernel looks two samples back.
  const region = kernels.copyFloats([0, 0, 0, 0, ...noise, ...new Float32Array(24)]);
  const firstSample = region.pointer + 4 * Float32Array.BYTES_PER_ELEMENT;
  const stretches = createStretchReader(kernels, 1024)(firstSample, 1000);
  const expected = summariseStretchesTwin(noise);
  expect(stretches.count).toBe(32);
  // Single precision over 32 samples.
  for (const name of ['peaks', 'jolts', 'sums', 'squareSums'] as const) {
    expected[name].forEach((value, index) => {
      expect(stretches[name][index]).toBeCloseTo(value, 5);
    });
  }
});
