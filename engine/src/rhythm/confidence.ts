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
  /** Beats of the track. */
  beatCount: number;
};

type Source = BeatActivation['source'];

const TEMPO = {
  learned: { bias: -2.53, level: 0.31, score: 0.93 },
  classical: { bias: -1.11, level: 0.44, score: 0.59 },
} as const satisfies Record<Source, object>;

/**
 * A beat of this score is plainly heard; one that is heard more plainly says no more about the level. Songs in half time have the
 * plainest beats of all, every second one of them left out.
 */
const PLAIN_SCORE = 3.5;
/**
 * Shares of levels are told apart up to here: of 449 pieces, 84 % were right with a share of 0.99 to 0.999, 94 % with one to 0.9999, and
 * 99.7 % beyond.
 */
const LEVEL_DOUBT_MIN = 1e-6;

const METER = {
  learned: { bias: -1.79, meter: 0.58, score: 0.53 },
  classical: { bias: -4.51, meter: 3.47, score: 0 },
} as const satisfies Record<Source, object>;

const BEAT = {
  learned: { bias: -1.56, tempo: 0.69, activation: 3.88 },
  classical: { bias: 0.32, tempo: 0.33, activation: 1.14 },
} as const satisfies Record<Source, object>;

const DOWNBEAT = {
  learned: { bias: -2.03, meter: 0.66, activation: 3.21 },
  classical: { bias: -2, meter: 0, activation: 9.06 },
} as const satisfies Record<Source, object>;

/** Fewer beats than these can be laid through any few onsets. */
const PULSE_BEATS_MIN = 6;
/**
 * Mean score of a beat below which chance alone finds a path. With the network, noise reaches 0.7; a rubato recording of a dance by Brahms
 * has 1.1, a tempo worth telling with the little confidence it then gets. Synthetic speech in three languages has 1.0 to 1.5: that it is
 * no music is heard by content/, not here. Onsets alone cannot tell speech from music either.
 */
const PULSE_SCORE_MIN: Record<Source, number> = { learned: 0.9, classical: 0.45 };

export function hasPulse(evidence: TempoEvidence, source: Source): boolean {
  return evidence.beatCount >= PULSE_BEATS_MIN && evidence.scorePerBeat >= PULSE_SCORE_MIN[source];
}

/** That the tempo is within 4 % of what people tap. */
export function rateTempo({ levelWeight, scorePerBeat }: TempoEvidence, source: Source): number {
  const { bias, level, score } = TEMPO[source];
  return logistic(
    bias + level * logit(levelWeight, LEVEL_DOUBT_MIN) + score * Math.min(scorePerBeat, PLAIN_SCORE),
  );
}

/** That bars have this many beats. */
export function rateMeter({ meterWeight, scorePerBeat }: TempoEvidence, source: Source): number {
  const { bias, meter, score } = METER[source];
  return logistic(bias + meter * logit(meterWeight) + score * scorePerBeat);
}

/** That a beat falls within 70 ms of this time. */
export function rateBeat(beat: BeatTime, tempoConfidence: number, source: Source): number {
  const { bias, tempo, activation } = BEAT[source];
  return logistic(bias + tempo * logit(tempoConfidence) + activation * beat.beatActivation);
}

/** That a bar begins there. */
export function rateDownbeat(beat: BeatTime, meterConfidence: number, source: Source): number {
  const { bias, meter, activation } = DOWNBEAT[source];
  return logistic(bias + meter * logit(meterConfidence) + activation * beat.downbeatActivation);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Shares of a softmax come within rounding of 0 and 1, where they mean "as sure as it gets", not certainty. */
function logit(share: number, doubtMin = 0.001): number {
  const clamped = Math.min(1 - doubtMin, Math.max(doubtMin, share));
  return Math.log(clamped / (1 - clamped));
}
