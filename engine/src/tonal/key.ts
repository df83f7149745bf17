/**
 * In which key is the piece, which alternatives are there, and how confident is the estimate?
 *
 * The evidence of the whole piece decides. The weights of the alternatives are a softmax of that evidence with a fitted temperature (Guo et al., "On
 * Calibration of Modern Neural Networks", ICML 2017); the confidence is a logistic function of the margin over the second key (Platt, "Probabilistic
 * Outputs for Support Vector Machines", 1999).
 */

import { logistic } from '../logistic.ts';
import { ParameterError } from '../parameter-error.ts';
import type { KeyCandidate } from '../result.ts';
import { type KeyBlocks, weighKeys } from './key-evidence.ts';
import { parseKeyHint, pitchNameOf, scaleOf, tonicOf } from './key-name.ts';

/**
 * P(key right) = logistic(offset + slope * lead), with the lead in log-odds and capped at `leadLogOddsMax`, above which recordings were right no more
 * often. Offset and slope are for LENGTH_UNIT_SECONDS and change with the logarithm of the length, since the same lead means more in a longer passage.
 * Learned: fitted on 385 recordings of 30 s and the dev corpus. Classical: fitted on excerpts of 10 to 135 s of the dev corpus. The errors of calibration
 * are in docs/accuracy.md.
 */
const CONFIDENCE = {
  learned: { offset: -0.33, slope: 0.48, offsetPerLogLength: 0.82, slopePerLogLength: 0, leadLogOddsMax: 5 },
  classical: {
    offset: -0.33,
    slope: 0.87,
    offsetPerLogLength: 0.29,
    slopePerLogLength: 0.19,
    leadLogOddsMax: Number.POSITIVE_INFINITY,
  },
} as const;
const LENGTH_UNIT_SECONDS = 30;
/** The fitted range, to which other lengths are clamped. */
const LENGTH_SECONDS = { min: 10, max: 135 };
const ALTERNATIVES_MAX = 5;
/** The penalty for masked pitches: of 14 hip-hop recordings with a mean confidence of .64 without it, five were right. */
const MASKED_PENALTY_LOG_ODDS = 1.1;

export type KeyEstimate = {
  key: number;
  confidence: number;
  alternatives: KeyCandidate[];
};

/** The keys that a hint allows; null without a hint. Throws ParameterError if the hint is not a key. */
export function readKeyHint(hint: string | undefined): number[] | null {
  if (hint === undefined) return null;
  const keys = parseKeyHint(hint);
  if (!keys) throw new ParameterError(`not a key: "${hint}"`);
  return keys;
}

export function estimateKey(blocks: KeyBlocks, allowedKeys: readonly number[] | null): KeyEstimate {
  const evidence = weighKeys(blocks, 0, blocks.blockCount);
  const ranked = [...evidence.keys()].sort((a, b) => evidence[b]! - evidence[a]!);
  const key = allowedKeys ? ranked.find((candidate) => allowedKeys.includes(candidate))! : ranked[0]!;
  const { slope } = blocks.learned ? CONFIDENCE.learned : CONFIDENCE.classical;
  const weights = softmax(evidence, slope);
  return {
    key,
    // A hint restricts the keys but does not raise the confidence.
    confidence: confidenceOfKey(key, evidence, blocks, 0, blocks.blockCount),
    alternatives: ranked
      .filter((candidate) => candidate !== key && (!allowedKeys || allowedKeys.includes(candidate)))
      .slice(0, ALTERNATIVES_MAX)
      .map((candidate) => ({
        key: pitchNameOf(tonicOf(candidate)),
        scale: scaleOf(candidate),
        weight: weights[candidate]!,
      })),
  };
}

/** The confidence of a key for which `evidence` was found in blocks `from` up to, not including, `to`. */
export function confidenceOfKey(
  key: number,
  evidence: Float64Array,
  blocks: KeyBlocks,
  from: number,
  to: number,
): number {
  const curve = blocks.learned ? CONFIDENCE.learned : CONFIDENCE.classical;
  const seconds = ((to - from) * blocks.blockFrames) / blocks.frameRateHz;
  const boundedSeconds = Math.max(LENGTH_SECONDS.min, Math.min(LENGTH_SECONDS.max, seconds));
  const logLength = Math.log(boundedSeconds / LENGTH_UNIT_SECONDS);
  const offset =
    curve.offset + curve.offsetPerLogLength * logLength - (blocks.isMasked ? MASKED_PENALTY_LOG_ODDS : 0);
  const slope = curve.slope + curve.slopePerLogLength * logLength;
  const bestOther = Math.max(...evidence.filter((_, other) => other !== key));
  const leadLogOdds = Math.min(curve.leadLogOddsMax, evidence[key]! - bestOther);
  return logistic(offset + slope * leadLogOdds);
}

/** Of the evidence times `slope`, which is the inverse temperature. */
function softmax(evidence: Float64Array, slope: number): Float64Array {
  const largest = Math.max(...evidence);
  const weights = evidence.map((value) => Math.exp(slope * (value - largest)));
  const total = weights.reduce((sum, value) => sum + value, 0);
  return weights.map((value) => value / total);
}
