/**
 * Scores the rhythm, harmony and form of one song. A metric is left out where the annotation, or the kind of estimate, lacks what it needs.
 */

import { beatContinuity } from './metrics/beat-continuity.ts';
import { chordRecall } from './metrics/chords.ts';
import { BEAT_TOLERANCE_SECONDS, eventF, medianIntervalSeconds } from './metrics/events.ts';
import { keyScore, parseKey } from './metrics/key.ts';
import { rateRoles, rateVoicedRoles } from './metrics/section-roles.ts';
import { scoreSections } from './metrics/sections.ts';
import type { Span } from './metrics/spans.ts';
import { tempoAccuracy1, tempoAccuracy2 } from './metrics/tempo.ts';

/** Annotation of a song, with the corpus's own field names; a field is absent or null where the corpus has nothing. Times are in seconds. */
export type Truth = {
  id: string;
  audio: string;
  duration: number;
  genre?: string;
  tempo_bpm?: number | null;
  beats?: number[];
  downbeats?: number[];
  time_signature?: string | null;
  key?: string | null;
  chords?: Span[];
  sections?: Span[];
  /** Where somebody sings. */
  sung?: [startSeconds: number, endSeconds: number][];
  /** False for speech and noise, which have no genre. */
  music?: boolean;
  /** Shared by the files made from one recording, such as other encodings. */
  recording?: string;
  /** The instruments of a rendering from notes, in which nobody sings. */
  render?: object;
};

/** A program's answer, with the same field names. */
export type Estimate = {
  tempo_bpm: number | null;
  beats: number[];
  downbeats: number[];
  time_signature: string | null;
  key: string | null;
  chords: Span[];
  sections: Span[];
  /** The same sections labelled by function (verse, chorus); absent from estimates that do not name functions. */
  roles?: Span[];
};

export type Scores = Partial<Record<ScoreName, number>>;
export const SCORE_NAMES = [
  'beat_f',
  'cmlc',
  'cmlt',
  'amlc',
  'amlt',
  'downbeat_f',
  'tempo_accuracy_1',
  'tempo_accuracy_2',
  'time_signature',
  'key_exact',
  'key_mirex',
  'chord_root',
  'chord_maj_min',
  'section_f_05',
  'section_f_3',
  'section_pairwise_f',
  'section_role',
  'section_voice',
  'genre_first',
  'genre_among_three',
  'no_genre',
  'voice_auc',
  'voice_share_off',
] as const;
export type ScoreName = (typeof SCORE_NAMES)[number];

export function scoreSong(truth: Truth, estimate: Estimate): Scores {
  return {
    ...scoreBeats(truth, estimate),
    ...scoreTempo(truth, estimate),
    ...(truth.time_signature
      ? { time_signature: Number(truth.time_signature === estimate.time_signature) }
      : {}),
    ...scoreKey(truth, estimate),
    ...scoreChords(truth, estimate),
    ...scoreForm(truth, estimate),
    ...scoreSungSections(truth, estimate),
  };
}

function scoreBeats(truth: Truth, estimate: Estimate): Scores {
  const { beats = [], downbeats = [] } = truth;
  // A person may have annotated the downbeats alone.
  const events = beats.length < 2 ? downbeats : beats;
  if (events.length < 2) return {};
  // The annotation may not cover the whole file: guesses more than half a distance outside it are not scored.
  const marginSeconds = medianIntervalSeconds(events) / 2;
  const isAnnotated = (seconds: number) =>
    seconds >= events[0]! - marginSeconds && seconds <= events.at(-1)! + marginSeconds;
  const guesses = estimate.beats.filter(isAnnotated);
  return {
    ...(events === beats
      ? { beat_f: eventF(beats, guesses, BEAT_TOLERANCE_SECONDS), ...beatContinuity(beats, guesses) }
      : {}),
    ...(downbeats.length > 0
      ? { downbeat_f: eventF(downbeats, estimate.downbeats.filter(isAnnotated), BEAT_TOLERANCE_SECONDS) }
      : {}),
  };
}

function scoreTempo(truth: Truth, estimate: Estimate): Scores {
  if (!truth.tempo_bpm) return {};
  const guessBpm = estimate.tempo_bpm;
  return {
    tempo_accuracy_1: Number(guessBpm !== null && tempoAccuracy1(truth.tempo_bpm, guessBpm)),
    tempo_accuracy_2: Number(guessBpm !== null && tempoAccuracy2(truth.tempo_bpm, guessBpm)),
  };
}

function scoreKey(truth: Truth, estimate: Estimate): Scores {
  const key = parseKey(truth.key ?? null);
  if (!key) return {};
  const mirex = keyScore(key, parseKey(estimate.key));
  return { key_mirex: mirex, key_exact: Number(mirex === 1) };
}

function scoreChords(truth: Truth, estimate: Estimate): Scores {
  const { rootShare = null, majMinShare = null } = chordRecall(truth.chords ?? [], estimate.chords) ?? {};
  return {
    ...(rootShare === null ? {} : { chord_root: rootShare }),
    ...(majMinShare === null ? {} : { chord_maj_min: majMinShare }),
  };
}

function scoreForm(truth: Truth, estimate: Estimate): Scores {
  if (!truth.sections?.length) return {};
  const form = scoreSections(truth.sections, estimate.sections, truth.duration);
  const role = rateRoles(truth.sections, estimate.roles ?? []);
  return {
    section_f_05: form.boundaryF05,
    section_f_3: form.boundaryF3,
    section_pairwise_f: form.pairwiseF,
    ...(role === null ? {} : { section_role: role }),
  };
}

function scoreSungSections(truth: Truth, estimate: Estimate): Scores {
  const agreement = truth.sung ? rateVoicedRoles(truth.sung, estimate.roles ?? []) : null;
  return agreement === null ? {} : { section_voice: agreement };
}

/** Mean over the songs that have the score. */
export function meanScores(songs: readonly Scores[]): { name: ScoreName; mean: number; songs: number }[] {
  return SCORE_NAMES.flatMap((name) => {
    const values = songs.map((scores) => scores[name]).filter((value) => value !== undefined);
    if (values.length === 0) return [];
    return [
      { name, mean: values.reduce((sum, value) => sum + value, 0) / values.length, songs: values.length },
    ];
  });
}
