/**
 * Is a window music, speech or noise? Multinomial logistic regression on its features.
 *
 * Fitted on about 12,000 windows: 8,000 of music (the dev corpus and the music of five Debian games and song packages), 2,700 of speech (the
 * Asterisk prompts in five languages by four speakers, and eSpeak in ten languages), 1,260 of synthetic noise. With its whole source left out of
 * the fit, 95 % of the windows of music, 98 % of speech and all of noise are classified correctly, and the calibration error of the probabilities is
 * 0.02. The hardest music is drum loops (89 %) and metal (80 %), which is why a steady pulse counts as well.
 */

import { FEATURE_NAMES, type WindowFeatures } from './window-features.ts';

export const KINDS = ['music', 'speech', 'noise'] as const;
export type KindProbabilities = Record<(typeof KINDS)[number], number>;

type Coefficients = { mean: number; spread: number } & Record<(typeof KINDS)[number], number>;

const BIAS: KindProbabilities = { music: 2.671, speech: -0.771, noise: -3.651 };

/** Per feature: its mean and spread (standard deviation) in the fit, and what one spread above the mean adds to the score of each kind. */
const COEFFICIENTS: Record<(typeof FEATURE_NAMES)[number], Coefficients> = {
  pauses: { mean: 0.1176, spread: 0.15, music: 0.304, speech: 0.053, noise: -0.357 },
  syllables: { mean: 0.2918, spread: 0.1609, music: 0.179, speech: 0.368, noise: -0.548 },
  levelSpread: { mean: 1.2858, spread: 0.9018, music: -0.356, speech: 0.923, noise: -0.567 },
  attack: { mean: 1.1581, spread: 1.3101, music: 0.8, speech: -0.59, noise: -0.21 },
  periodicity: { mean: 0.3758, spread: 0.199, music: 0.408, speech: -0.52, noise: 0.112 },
  flatness: { mean: -1.4403, spread: 0.6428, music: 0.7, speech: -0.759, noise: 0.059 },
  flatnessSpread: { mean: 0.3685, spread: 0.2248, music: 0.392, speech: 0.324, noise: -0.716 },
  centroidSpread: { mean: 0.0583, spread: 0.0455, music: 0.249, speech: 0.712, noise: -0.962 },
  flux: { mean: 0.1696, spread: 0.0596, music: -1.14, speech: 1.257, noise: -0.117 },
  pitchStability: { mean: 0.437, spread: 0.2599, music: 1.519, speech: -0.024, noise: -1.495 },
  pitchContrast: { mean: 1.6006, spread: 0.3174, music: 0.213, speech: 0.773, noise: -0.986 },
};

/** Features further from the mean are clamped: the fit saw few, so its slope is not trusted there. */
const EXCESS_MAX_SPREADS = 3;
/** Added to the log odds of music for a steady pulse, which speech never has, whatever beats a tracker finds in it. Set by hand, not fitted. */
const STEADY_PULSE_LOGIT = 3;

export function classifyWindow(features: WindowFeatures, hasSteadyPulse: boolean): KindProbabilities {
  const scores = KINDS.map((kind) =>
    FEATURE_NAMES.reduce((score, name, index) => {
      const { mean, spread, [kind]: weight } = COEFFICIENTS[name];
      const excessSpreads = (features[index]! - mean) / spread;
      return score + weight * Math.max(-EXCESS_MAX_SPREADS, Math.min(EXCESS_MAX_SPREADS, excessSpreads));
    }, BIAS[kind]),
  );
  if (hasSteadyPulse) scores[0]! += STEADY_PULSE_LOGIT;
  const largest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - largest));
  const total = odds.reduce((a, b) => a + b, 0);
  return { music: odds[0]! / total, speech: odds[1]! / total, noise: odds[2]! / total };
}
