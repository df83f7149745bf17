/**
 * What kind of music is it? Genre, mood, instruments and decade of a recording, and hidden units for its embedding.
 *
 * 1. choose patches of music  2. run both taggers on them  3. name what stands out. Speech, noise and a few seconds of music get no tags.
 */

import type { Content, NamedTag, Tags, UnavailableReason } from '../result.ts';
import { type HeardTags, hearTags } from './hear-tags.ts';
import { rateMusicality } from './musicality.ts';
import { nameTags } from './name-tags.ts';
import { choosePatches, type Span } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import type { TagListener } from './tag-listener.ts';

/** Below this nothing is named. Set by hand; how many noises are named all the same: docs/accuracy.md. */
const MUSICALITY_MIN_LOG_ODDS = 0.25;
/**
 * Below this the sound counts as noise: engines, rain and washing machines that content/ took for music. Set by hand below drum loops. A metronome is
 * below: it is no music, and yet has a tempo (content/abstention.ts).
 */
const NOISE_MAX_LOG_ODDS = -3;
/** Keeps the log odds finite: a confidence is rounded to three digits, so it can be 1. */
const CONFIDENCE_MAX = 0.995;
const NOTHING: Tags = { genres: [], moods: [], instruments: [], eras: [] };

export type TagInput = {
  patches: readonly KeptPatch[];
  /** Null without models. */
  listener: TagListener | null;
  durationSeconds: number;
  /** Whether its harmony hardly moves (content/abstention.ts): if the taggers call that classical, it is a bell or a siren and gets no tags. */
  isHarmonyStatic: boolean;
  /** Whether it has too little harmony and beat to be music (content/abstention.ts): then it gets no tags, whatever the taggers say. */
  lacksSubstance: boolean;
};

export type AnalysedTags = {
  /** Null if there are no models, or too little music. */
  tags: Tags | null;
  /** Why there is no genre, and why no mood; null when there is one. */
  reason: UnavailableReason | null;
  moodsReason: UnavailableReason | null;
  /** `noise` when the taggers do not take the sound for music. */
  noMusic: 'noise' | null;
  /** The hidden units of the first tagger, averaged over the patches; null when it did not run. */
  hidden: Float64Array | null;
};

export function analyseTags(
  { patches, listener, durationSeconds, isHarmonyStatic, lacksSubstance }: TagInput,
  { regions }: Pick<Content, 'regions'>,
  sections: readonly Span[],
  noMusic: 'speech' | 'noise' | null,
): AnalysedTags {
  if (listener === null) return createUntagged('no_model');
  if (noMusic !== null) return createUntagged(noMusic);
  const startsSeconds = patches.map(({ startSeconds }) => startSeconds);
  const spans = sections.length > 0 ? sections : [{ startSeconds: 0, endSeconds: durationSeconds }];
  const chosen = choosePatches(startsSeconds, spans, regions);
  if (chosen.length === 0) return createUntagged(explainNoPatch(regions));
  const heard = hearTags(
    listener,
    chosen.map((index) => patches[index]!),
  );
  const musicalityLogOdds = rateMusicality(heard);
  const named = nameTags(heard, spans, musicalityLogOdds);
  const logOdds = musicalityLogOdds + takeLogOdds(named.genres[0]);
  const hidden = averageHidden(heard);
  if (logOdds < NOISE_MAX_LOG_ODDS) return { ...createUntagged('noise'), noMusic: 'noise', hidden };
  const isBellOrSiren = isHarmonyStatic && named.genres[0]?.label === 'classical';
  const tags = logOdds < MUSICALITY_MIN_LOG_ODDS || isBellOrSiren || lacksSubstance ? NOTHING : named;
  return {
    tags,
    reason: tags.genres.length === 0 ? 'nothing_stands_out' : null,
    moodsReason: tags.moods.length === 0 ? 'nothing_stands_out' : null,
    noMusic: null,
    hidden,
  };
}

/**
 * The log odds of the first genre if it is likelier than all others together, else 0: what is plainly of one genre is music. Musicality alone would
 * miss raps over a beat without harmony and unaccompanied strings, as it was fitted on few of them. Noises rarely get a genre, and then one of
 * low confidence.
 */
function takeLogOdds(first: NamedTag | undefined): number {
  if (first === undefined) return 0;
  const confidence = Math.min(CONFIDENCE_MAX, first.confidence);
  return Math.max(0, Math.log(confidence / (1 - confidence)));
}

function createUntagged(reason: UnavailableReason): AnalysedTags {
  return { tags: null, reason, moodsReason: reason, noMusic: null, hidden: null };
}

/** `too_short` if there is some music but too little for a patch, otherwise the kind of the longest region. */
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
