/**
 * How sure are tempo, meter, beats and downbeats? Logistic regressions from the tracker's evidence to the probability of being right.
 *
 * "Right" is what the evaluation counts: tempo within 4 %, a beat or downbeat within 70 ms, the same number of beats in a bar. The
 * constants were fitted on 460 recordings of ten genres and on the dev corpus; docs/algorithms.md has the recipe and docs/accuracy.md the
 * reliability curves. Each source of activations has its own constants: at the same margin onsets deserve less trust.
 */

import { logistic } from '../logistic.ts';
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
  /** Of the audio: a level that leads for a whole song is more certain than one that leads for half a minute. */
  durationSeconds: number;
};

type Source = BeatActivation['source'];

const TEMPO = {
  learned: { bias: -0.22, level: 0.63, score: 0.26, length: 0.66 },
  classical: { bias: -0.77, level: 0.6, score: 0.51, length: 0.44 },
} as const satisfies Record<Source, object>;

/**
 * The score of a clear beat; higher scores say no more about the level. Tracks at half the tempo score highest of all, since they leave out
 * the weaker half of the beats.
 */
export const PLAIN_SCORE = 3.5;
/** Shares stay this far from 0 and 1, to which a softmax rounds although nothing is certain; shares of levels the second distance. */
const DOUBT_MIN = 0.001;
const LEVEL_DOUBT_MIN = 1e-6;
/** The range of the fit, to which other lengths are limited. The regressor is the logarithm of the ratio to the shortest. */
const LENGTH_SECONDS = { min: 30, max: 180 };

const METER = {
  learned: { bias: 0, meter: 0.8, score: 0.38 },
  classical: { bias: -4.22, meter: 2.29, score: 1.08 },
} as const satisfies Record<Source, object>;

const BEAT = {
  learned: { bias: -1.56, tempo: 1.2, activation: 2 },
  classical: { bias: 0.14, tempo: 1.42, activation: 1.42 },
} as const satisfies Record<Source, object>;

const DOWNBEAT = {
  learned: { bias: -1.55, meter: 0.26, activation: 1.93, length: 1.26 },
  classical: { bias: -1.9, meter: 0.27, activation: 1.76, length: 1.77 },
} as const satisfies Record<Source, object>;

/** Some track fits any handful of onsets. */
export const PULSE_BEATS_MIN = 6;
/**
 * Mean score of a beat below which the track may be chance. With the network, noise reaches 0.7; a rubato recording of a dance by Brahms
 * has 1.1, a tempo worth reporting with the low confidence it then gets. Synthetic speech in three languages has 1.0 to 1.5: neither the
 * network nor onsets distinguish it from music, but content/ does.
 */
const PULSE_SCORE_MIN: Record<Source, number> = { learned: 0.9, classical: 0.45 };
/**
 * The same where there are few onsets (noise, tones, drones, slow strings), which takes clearer beats. Of ten slow classical recordings the
 * four with scores from 1.6 to 2.6 get the right tempo, and the four below 0.8 do not. Without the network such a pulse is never reported.
 */
const QUIET_PULSE_SCORE_MIN: Record<Source, number> = { learned: 1.5, classical: Number.POSITIVE_INFINITY };
/** Less than the slowest tempo searched without a hint, which has 0.67 beats per second. */
const ONSET_RATE_HZ_MIN = 0.5;

export function hasPulse(evidence: TempoEvidence, onsetRateHz: number, source: Source): boolean {
  const scoreMin = (onsetRateHz < ONSET_RATE_HZ_MIN ? QUIET_PULSE_SCORE_MIN : PULSE_SCORE_MIN)[source];
  return evidence.beatCount >= PULSE_BEATS_MIN && evidence.scorePerBeat >= scoreMin;
}

/** The probability that the tempo is within 4 % of what people tap. */
export function rateTempo(
  { levelWeight, scorePerBeat, durationSeconds }: TempoEvidence,
  source: Source,
): number {
  const { bias, level, score, length } = TEMPO[source];
  return logistic(
    bias +
      level * logit(levelWeight, LEVEL_DOUBT_MIN) +
      score * Math.min(scorePerBeat, PLAIN_SCORE) +
      length * logLength(durationSeconds),
  );
}

/** The probability that bars have this many beats. */
export function rateMeter({ meterWeight, scorePerBeat }: TempoEvidence, source: Source): number {
  const { bias, meter, score } = METER[source];
  return logistic(bias + meter * logit(meterWeight) + score * scorePerBeat);
}

/** The probability that a beat falls within 70 ms of this time. */
export function rateBeat(beat: BeatTime, tempoConfidence: number, source: Source): number {
  const { bias, tempo, activation } = BEAT[source];
  return logistic(bias + tempo * logit(tempoConfidence) + activation * beat.beatActivation);
}

/** The probability that a bar begins within 70 ms of this time. */
export function rateDownbeat(
  beat: BeatTime,
  meterConfidence: number,
  durationSeconds: number,
  source: Source,
): number {
  const { bias, meter, activation, length } = DOWNBEAT[source];
  return logistic(
    bias +
      meter * logit(meterConfidence) +
      activation * beat.downbeatActivation +
      length * logLength(durationSeconds),
  );
}

function logLength(durationSeconds: number): number {
  const { min, max } = LENGTH_SECONDS;
  return Math.log(Math.min(max, Math.max(min, durationSeconds)) / min);
}

function logit(share: number, doubtMin = DOUBT_MIN): number {
  const clamped = Math.min(1 - doubtMin, Math.max(doubtMin, share));
  return Math.log(clamped / (1 - clamped));
}
