import { expect, it } from 'vitest';
import { designKWeighting } from './k-weighting.ts';

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

it.each([1000, 3000, 8000, 44_100, 192_000])('is stable at %d Hz', (sampleRateHz) => {
  for (const { a1, a2 } of designKWeighting(sampleRateHz)) {
    // The poles of z² + a1 z + a2 are inside the unit circle (Jury's criterion).
    expect(Math.abs(a2)).toBeLessThan(1);
    expect(Math.abs(a1)).toBeLessThan(1 + a2);
  }
});
