import { expect, it } from 'vitest';
import { besselI0, createKaiserSinc, kaiserBeta, kaiserLengthSamples } from './kaiser.ts';

it('has the shape and the length that scipy.signal.kaiserord gives', () => {
  // kaiserord(65, 24 / 500) is (167, 6.20426); its width is in units of Nyquist, ours in cycles per sample.
  expect(kaiserBeta(65)).toBeCloseTo(6.20426, 4);
  expect(kaiserLengthSamples(65, 24 / 1000)).toBe(167);
});

it.each([
  [0, 1],
  [1, 1.2660658777520084],
  [5, 27.239871823604442],
])('I0(%d) equals the tables', (x, value) => {
  // Abramowitz and Stegun, table 9.8, and scipy.special.i0.
  expect(besselI0(x) / value).toBeCloseTo(1, 14);
});

it('is a sinc under a window that ends at half its length', () => {
  const [cutoffCycles, halfLengthSamples, beta] = [0.1, 20, 9];
  const lowPass = createKaiserSinc({ cutoffCycles, halfLengthSamples, beta });
  expect(lowPass(0)).toBeCloseTo(2 * cutoffCycles, 15);
  const window = besselI0(beta * Math.sqrt(1 - (12 / 20) ** 2)) / besselI0(beta);
  expect(lowPass(12)).toBeCloseTo((window * Math.sin(2 * Math.PI * 0.1 * 12)) / (Math.PI * 12), 15);
  expect(lowPass(-12)).toBe(lowPass(12));
  expect([20, -20, 21].map(lowPass)).toEqual([0, 0, 0]);
});
