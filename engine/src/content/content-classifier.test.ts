import { expect, it } from 'vitest';
import { classifyWindow } from './content-classifier.ts';
import { FEATURE_NAMES } from './window-features.ts';

/** All features at once, so that each of them counts. */
const all = (value: number) => new Float64Array(FEATURE_NAMES.length).fill(value);

it('gives probabilities that sum to one', () => {
  const { music, speech, noise } = classifyWindow(all(0.5), false);
  expect(music + speech + noise).toBeCloseTo(1, 12);
});

it('lets no feature count beyond what occurred in the fit', () => {
  // The highest bound is that of the attack, 1.1581 + 3 · 1.3101, and the lowest that of the flatness, -1.4403 - 3 · 0.6428.
  expect(classifyWindow(all(10), false)).toEqual(classifyWindow(all(1e6), false));
  expect(classifyWindow(all(-10), false)).toEqual(classifyWindow(all(-1e6), false));
});

it('raises the odds of music for a steady pulse, and leaves speech against noise as it was', () => {
  const without = classifyWindow(all(0.5), false);
  const withPulse = classifyWindow(all(0.5), true);
  const oddsOf = ({ music, speech }: typeof without) => music / speech;
  // By three in log odds.
  expect(Math.log(oddsOf(withPulse) / oddsOf(without))).toBeCloseTo(3, 9);
  expect(withPulse.speech / withPulse.noise).toBeCloseTo(without.speech / without.noise, 9);
});
