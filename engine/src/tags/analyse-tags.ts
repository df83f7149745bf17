/**
 * What kind of music is it? Genre, mood, instruments and decade of a recording, and the hidden units the embedding is made of.
 *
 * 1. choose patches of music  2. let both taggers hear them  3. name what stands out. Speech, noise and a few seconds of sound get no genre.
 */

import type { Content, NamedTag, Tags, UnavailableReason } from '../result.ts';
import { type HeardTags, hearTags } from './hear-tags.ts';
import { rateMusicality } from './musicality.ts';
import { nameTags } from './name-tags.ts';
import { choosePatches, type Span } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import type { TagListener } from './tag-listener.ts';

/** Log odds, chosen: what is hardly likelier music than noise gets no name. What still gets one: docs/accuracy.md. */
const MUSICALITY_MIN = 0.25;
/**
 * And below this it is taken for noise: engines, rain and washing machines that the regions let pass. Drum loops lie above −2, and so do all but one
 * of 460 recordings of ten genres; no metronome does, which is no music and yet has a tempo (content/abstention.ts).
 */
const NOISE_MUSICALITY_MAX = -3;
/** Confidences have three digits: nearer to 1 they say no more. */
const CONFIDENCE_MAX = 0.995;
const NOTHING: Tags = { genres: [], moods: [], instruments: [], eras: [] };

export type TagInput = {
  patches: readonly KeptPatch[];
  /** Null without models. */
  listener: TagListener | null;
  durationSeconds: number;
  /** A sound that stays where it is (content/abstention.ts) is no classical music, and so none at all. */
  isStill: boolean;
  /** Without notes and without a plain beat (content/abstention.ts): whatever it is called, it is no music. */
  isBare: boolean;
};

export type AnalysedTags = {
  /** Null when nobody listened: without models, without music. */
  tags: Tags | null;
  /** Why there is no genre, and why no mood; null when there is one. */
  reason: UnavailableReason | null;
  moodsReason: UnavailableReason | null;
  /** What the taggers take it for, if not for music. */
  noMusic: 'noise' | null;
  /** Of the first tagger, the mean over the patches. */
  hidden: Float64Array | null;
};

export function analyseTags(
  { patches, listener, durationSeconds, isStill, isBare }: TagInput,
  { regions }: Pick<Content, 'regions'>,
  sections: readonly Span[],
  noMusic: 'speech' | 'noise' | null,
): AnalysedTags {
  if (listener === null) return createSilent('no_model');
  if (noMusic !== null) return createSilent(noMusic);
  const starts = patches.map(({ startSeconds }) => startSeconds);
  const chosen = choosePatches(starts, sections, regions, durationSeconds);
  if (chosen.length === 0) return createSilent(explainNoPatch(regions));
  const heard = hearTags(
    listener,
    chosen.map((index) => patches[index]!),
  );
  const musicality = rateMusicality(heard);
  const named = nameTags(
    heard,
    sections.length > 0 ? sections : [{ startSeconds: 0, endSeconds: durationSeconds }],
    musicality,
  );
  const logOdds = musicality + takeLogOdds(named.genres[0]);
  const hidden = averageHidden(heard);
  if (logOdds < NOISE_MUSICALITY_MAX) return { ...createSilent('noise'), noMusic: 'noise', hidden };
  const isBellOrSiren = isStill && named.genres[0]?.label === 'classical';
  const tags = logOdds < MUSICALITY_MIN || isBellOrSiren || isBare ? NOTHING : named;
  return {
    tags,
    reason: tags.genres.length === 0 ? 'nothing_stands_out' : null,
    moodsReason: tags.moods.length === 0 ? 'nothing_stands_out' : null,
    noMusic: null,
    hidden,
  };
}

/**
 * Of the first genre, as far as it is likelier than all others together: what is plainly one kind of music is music, and the sounds that musicality
 * was fitted on had few raps over a bare beat and few strings alone. Noises are named rarely, and then hesitantly.
 */
function takeLogOdds(first: NamedTag | undefined): number {
  if (first === undefined) return 0;
  const confidence = Math.min(CONFIDENCE_MAX, first.confidence);
  return Math.max(0, Math.log(confidence / (1 - confidence)));
}

function createSilent(reason: UnavailableReason): AnalysedTags {
  return { tags: null, reason, moodsReason: reason, noMusic: null, hidden: null };
}

/** The longest of the regions says what it is instead of music; where some is music, that is too short. */
function explainNoPatch(regions: Content['regions']): UnavailableReason {
  let reason: UnavailableReason = 'too_short';
  let longestSeconds = 0;
  for (const { kind, startSeconds, endSeconds } of regions) {
    if (kind === 'music') return 'too_short';
    if (endSeconds - startSeconds <= longestSeconds) continue;
    reason = kind;
    longestSeconds = endSeconds - startSeconds;
  }
  return reason;
}

function averageHidden({ patches: { msd } }: HeardTags): Float64Array {
  const mean = new Float64Array(msd[0]!.hidden.length);
  for (const { hidden } of msd) {
    for (let k = 0; k < mean.length; k++) mean[k]! += hidden[k]! / msd.length;
  }
  return mean;
}
