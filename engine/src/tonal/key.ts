/**
 * In which key is the piece, what else could it be, and how sure is that?
 *
 * The evidence of the whole piece decides. The weights of the alternatives are a softmax over that evidence with a fitted temperature (Guo et al.,
 * ICML 2017); the confidence is a logistic function of the lead over the second key (Platt 1999).
 */

import { logistic } from '../logistic.ts';
import { ParameterError } from '../parameter-error.ts';
import type { KeyCandidate } from '../result.ts';
import { type KeyBlocks, weighKeys } from './key-evidence.ts';
import { KEY_COUNT, parseKeyHint, pitchNameOf, scaleOf, tonicOf } from './key-name.ts';

/**
 * P(key right) = 1 / (1 + exp(-(offset + slope * lead))), lead in log-odds and up to `leadLogOddsMax`, where recordings get no surer; the constants change
 * with the logarithm of how long the music is, since a long piece that leaves two keys close is nearer to the truth than a short one. Learned:
 * fitted on 385 recordings of 30 s and the dev corpus (expected calibration error: docs/accuracy.md). Classical:
 * fitted on excerpts of 10 to 135 s of the dev corpus (.03; whole songs .07).
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
/** The length at which offset and slope are as written. */
const LENGTH_UNIT_SECONDS = 30;
/** The range that was fitted: other lengths count as its ends. */
const LENGTH_SECONDS = { min: 10, max: 135 };
const ALTERNATIVE_COUNT = 5;
/** What covered pitches cost: of 14 recordings of hip-hop with a mean confidence of .64 without it, five were right. */
const COVERED_COST_LOG_ODDS = 1.1;

export type KeyEstimate = {
  key: number;
  confidence: number;
  alternatives: KeyCandidate[];
};

/** The keys a hint allows; null without a hint. Throws ParameterError when it is not a key. */
export function readKeyHint(hint: string | undefined): number[] | null {
  if (hint === undefined) return null;
  const keys = parseKeyHint(hint);
  if (!keys) throw new ParameterError(`not a key: "${hint}"`);
  return keys;
}

export function estimateKey(blocks: KeyBlocks, allowedKeys: readonly number[] | null): KeyEstimate {
  const evidence = weighKeys(blocks, 0, blocks.blockCount);
  const ranked = rankKeys(evidence);
  const key = allowedKeys ? ranked.find((candidate) => allowedKeys.includes(candidate))! : ranked[0]!;
  const { slope } = blocks.learned ? CONFIDENCE.learned : CONFIDENCE.classical;
  const weights = flatten(evidence, slope);
  return {
    key,
    // A hinted key is as sure as the evidence for it is, however sure the caller may be.
    confidence: confidenceOfKey(key, evidence, blocks, 0, blocks.blockCount),
    alternatives: ranked
      .filter((candidate) => candidate !== key && (!allowedKeys || allowedKeys.includes(candidate)))
      .slice(0, ALTERNATIVE_COUNT)
      .map((candidate) => ({
        key: pitchNameOf(tonicOf(candidate)),
        scale: scaleOf(candidate),
        weight: weights[candidate]!,
      })),
  };
}

/** Log-odds by which a key leads the best of the others; negative when it does not. */
function leadOf(key: number, evidence: Float64Array): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let other = 0; other < KEY_COUNT; other++) {
    if (other !== key) best = Math.max(best, evidence[other]!);
  }
  return evidence[key]! - best;
}

/** The confidence of a key that was chosen on the evidence of these blocks, `to` not included. */
export function confidenceOfKey(
  key: number,
  evidence: Float64Array,
  blocks: KeyBlocks,
  from: number,
  to: number,
): number {
  const curve = blocks.learned ? CONFIDENCE.learned : CONFIDENCE.classical;
  const seconds = ((to - from) * blocks.blockFrames) / blocks.frameRateHz;
  const bounded = Math.max(LENGTH_SECONDS.min, Math.min(LENGTH_SECONDS.max, seconds));
  const logLength = Math.log(bounded / LENGTH_UNIT_SECONDS);
  const offset =
    curve.offset + curve.offsetPerLogLength * logLength - (blocks.isCovered ? COVERED_COST_LOG_ODDS : 0);
  const slope = curve.slope + curve.slopePerLogLength * logLength;
  const leadLogOdds = Math.min(curve.leadLogOddsMax, leadOf(key, evidence));
  return logistic(offset + slope * leadLogOdds);
}

function rankKeys(evidence: Float64Array): number[] {
  return Array.from(evidence, (_, key) => key).sort((a, b) => evidence[b]! - evidence[a]!);
}

/** Softmax of the evidence times `slope`. */
function flatten(evidence: Float64Array, slope: number): Float64Array {
  const largest = Math.max(...evidence);
  const weights = evidence.map((value) => Math.exp(slope * (value - largest)));
  const total = weights.reduce((sum, value) => sum + value, 0);
  return weights.map((value) => value / total);
}
