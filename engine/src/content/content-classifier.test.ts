import { expect, it } from 'vitest';
import { classifyWindow } from './content-classifier.ts';
import { FEATURE_NAMES } from './window-features.ts';

/** The same value for every feature. */
const all = (value: number) => new Float64Array(FEATURE_NAMES.length).fill(value);

it('gives probabilities that sum to one', () => {
  const { music, speech, noise } = classifyWindow(all(0.5), false);
  expect(music + speech + noise).toBeCloseTo(1, 12);
});

it('clamps features three spreads from their means', () => {
  // The highest limit is that of the attack, 1.1581 + 3 · 1.3101, and the lowest that of the flatness, -1.4403 - 3 · 0.6428.
  expect(classifyWindow(all(10), false)).toEqual(classifyWindow(all(1e6), false));
  expect(classifyWindow(all(-10), false)).toEqual(classifyWindow(all(-1e6), false));
});

it('adds the weights of a feature to the log odds for each spread that it rises', () => {
  const at = (flux: number) => classifyWindow(all(0.2).with(FEATURE_NAMES.indexOf('flux'), flux), false);
  const [low, high] = [at(0.1696), at(0.1696 + 0.0596)];
  const gain = (one: 'music' | 'speech', other: 'speech' | 'noise') =>
    Math.log(high[one] / high[other]) - Math.log(low[one] / low[other]);
  // One spread of the flux, whose weights are -1.14 for music, 1.257 for speech and -0.117 for noise.
  expect(gain('music', 'speech')).toBeCloseTo(-1.14 - 1.257, 9);
  expect(gain('speech', 'noise')).toBeCloseTo(1.257 + 0.117, 9);
});

it('raises the log odds of music by three for a steady pulse, and leaves those of speech against noise', () => {
  const without = classifyWindow(all(0.5), false);
  const withPulse = classifyWindow(all(0.5), true);
  const oddsOf = ({ music, speech }: typeof without) => music / speech;
  expect(Math.log(oddsOf(withPulse) / oddsOf(without))).toBeCloseTo(3, 9);
  expect(withPulse.speech / withPulse.noise).toBeCloseTo(without.speech / without.noise, 9);
});
