import { expect, it } from 'vitest';
import { classifyWindow, type KindProbabilities } from './content-classifier.ts';
import { FEATURE_NAMES } from './window-features.ts';

/** The same value for every feature. */
const all = (value: number) => new Float64Array(FEATURE_NAMES.length).fill(value);

it('gives probabilities that sum to one', () => {
  const { music, speech, noise } = classifyWindow(all(0.5), false);
  expect(music + speech + noise).toBeCloseTo(1, 12);
});

/** Log odds with this flux and all else equal. Its mean is 0.1696, its spread 0.0596. */
function oddsAt(flux: number) {
  const { music, speech, noise } = classifyWindow(all(0.2).with(FEATURE_NAMES.indexOf('flux'), flux), false);
  return { musicToSpeech: Math.log(music / speech), speechToNoise: Math.log(speech / noise) };
}

it('adds the weights of a feature to the log odds for each spread that it rises', () => {
  const [low, high] = [oddsAt(0.1696), oddsAt(0.1696 + 0.0596)];
  // The weights of the flux are -1.14 for music, 1.257 for speech and -0.117 for noise.
  expect(high.musicToSpeech - low.musicToSpeech).toBeCloseTo(-1.14 - 1.257, 9);
  expect(high.speechToNoise - low.speechToNoise).toBeCloseTo(1.257 + 0.117, 9);
});

it.each([
  ['above', 1],
  ['below', -1],
])('clamps a feature three spreads %s its mean', (_, sign) => {
  const far = oddsAt(sign * 1e6).speechToNoise - oddsAt(0.1696).speechToNoise;
  expect(far).toBeCloseTo(sign * 3 * (1.257 + 0.117), 9);
});

it('has the differences of the biases as log odds at the mean of every feature', () => {
  // The mean is half-way between the two limits.
  const [above, below] = [1e6, -1e6].map((value) => classifyWindow(all(value), false)) as [
    KindProbabilities,
    KindProbabilities,
  ];
  const logOdds = (a: keyof KindProbabilities, b: keyof KindProbabilities) =>
    (Math.log(above[a] / above[b]) + Math.log(below[a] / below[b])) / 2;
  expect(logOdds('music', 'speech')).toBeCloseTo(2.671 + 0.771, 9);
  expect(logOdds('speech', 'noise')).toBeCloseTo(-0.771 + 3.651, 9);
});

it('clamps every feature', () => {
  // The highest limit is that of the attack, 1.1581 + 3 · 1.3101, and the lowest that of the flatness, -1.4403 - 3 · 0.6428.
  expect(classifyWindow(all(10), false)).toEqual(classifyWindow(all(1e6), false));
  expect(classifyWindow(all(-10), false)).toEqual(classifyWindow(all(-1e6), false));
});

it('raises the log odds of music by three for a steady pulse, and leaves those of speech against noise', () => {
  const without = classifyWindow(all(0.5), false);
  const withPulse = classifyWindow(all(0.5), true);
  const oddsOf = ({ music, speech }: typeof without) => music / speech;
  expect(Math.log(oddsOf(withPulse) / oddsOf(without))).toBeCloseTo(3, 9);
  expect(withPulse.speech / withPulse.noise).toBeCloseTo(without.speech / without.noise, 9);
});
