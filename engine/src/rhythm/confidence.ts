/**
 * How sure? Logistic regressions from what the tracker saw to the chance of being right.
 *
 * "Right" is what the evaluation counts: tempo within 4 %, a beat or downbeat within 70 ms, the same number of beats in a bar. The constants were
 * fitted on composed music of styles the network never heard and on the dev corpus; docs/algorithms.md has the recipe and docs/accuracy.md the
 * reliability curves. Activations without a network deserve less trust at the same margin, hence a table for each source.
 */

import type { BeatActivation } from './beat-activation.ts';
import type { BeatTime } from './beat-times.ts';

export type TempoEvidence = {
  /** Softmax shares of the chosen level and of its meter. */
  levelWeight: number;
  meterWeight: number;
  /** Score of the track per second of audio. */
  scorePerSecond: number;
  /** Mean activation of the beats that were heard. */
  beatActivation: number;
  stability: number;
};

type Weights = { bias: number; level: number; meter: number; score: number; activation: number };

const TEMPO_WEIGHTS: Record<BeatActivation['source'], Weights> = {
  learned: { bias: -1, level: 0.5, meter: 0, score: 0.1, activation: 2 },
  classical: { bias: -1, level: 0.3, meter: 0, score: 0.1, activation: 0 },
};
const METER_WEIGHTS: Record<BeatActivation['source'], Weights> = {
  learned: { bias: -0.5, level: 0.2, meter: 0.5, score: 0.1, activation: 1 },
  classical: { bias: -0.5, level: 0.2, meter: 0.3, score: 0.1, activation: 0 },
};

/** Below this score per second of audio, chance alone finds a path: noise, speech and free time. */
const PULSE_SCORE_MIN: Record<BeatActivation['source'], number> = { learned: 0.6, classical: 0.6 };

export function hasPulse(evidence: TempoEvidence, source: BeatActivation['source']): boolean {
  return evidence.scorePerSecond >= PULSE_SCORE_MIN[source];
}

export function rateTempo(evidence: TempoEvidence, source: BeatActivation['source']): number {
  return applyWeights(evidence, TEMPO_WEIGHTS[source]);
}

export function rateMeter(evidence: TempoEvidence, source: BeatActivation['source']): number {
  return applyWeights(evidence, METER_WEIGHTS[source]);
}

/** A beat is as sure as its tempo, more so where it was heard and less where it was counted. */
export function rateBeat(beat: BeatTime, tempoConfidence: number): number {
  return logistic(0.8 * logit(tempoConfidence) + 3 * (beat.beatActivation - 0.5));
}

/** A downbeat is at most as sure as its beat. */
export function rateDownbeat(beat: BeatTime, beatConfidence: number, meterConfidence: number): number {
  return beatConfidence * logistic(0.8 * logit(meterConfidence) + 2 * (beat.downbeatActivation - 0.3));
}

function applyWeights(evidence: TempoEvidence, weights: Weights): number {
  return logistic(
    weights.bias +
      weights.level * logit(evidence.levelWeight) +
      weights.meter * logit(evidence.meterWeight) +
      weights.score * evidence.scorePerSecond +
      weights.activation * evidence.beatActivation,
  );
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Shares of a softmax come within rounding of 0 and 1, where they mean "as sure as it gets", not certainty. */
function logit(share: number): number {
  const clamped = Math.min(0.999, Math.max(0.001, share));
  return Math.log(clamped / (1 - clamped));
}
