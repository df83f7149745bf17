/**
 * Answers the musical questions in the order of their dependencies: chords, style, beats, key, kind of sound, voice, form, tags.
 * Speech and noise get no beats (except a metronome), no key and no form.
 *
 * All questions are answered or none: each answer uses others (a steady pulse is evidence of music, tags are found per section), and a
 * group must be the same whatever other groups were requested.
 */

import {
  findReasonToAbstain,
  findReasonToWithholdSections,
  findReasonToWithholdTempo,
  isHarmonyStatic,
  lacksSubstance,
} from './content/abstention.ts';
import { type DescribedContent, describeContent } from './content/content.ts';
import {
  createRapTest,
  type DescribedVoice,
  describeVoice,
  type HeardVoice,
  hearVoice,
} from './content/voice.ts';
import type { MeasuredLoudness } from './loudness/loudness.ts';
import type {
  AnalysisHints,
  FeatureGroup,
  ModelProvenance,
  Rhythm,
  Structure,
  Tonal,
  UnavailableReason,
} from './result.ts';
import { analyseRhythm, type RhythmAnalysis } from './rhythm/analyse-rhythm.ts';
import { withoutPulse } from './rhythm/without-pulse.ts';
import { ANALYSIS_RATE_HZ, type SpectralFrames } from './signal/front-end.ts';
import { analyseStructure, type StructureAnalysis } from './structure/analyse-structure.ts';
import { type AnalysedTags, analyseTags } from './tags/analyse-tags.ts';
import type { KeptPatch } from './tags/patch-keeper.ts';
import { hearStyle } from './tags/style.ts';
import { rateSung } from './tags/sung-odds.ts';
import { createTagListener, type TaggerModels, type TagListener } from './tags/tag-listener.ts';
import { analyseTonal, type TonalAnalysis } from './tonal/analyse-tonal.ts';
import { type Harmony, hearHarmony } from './tonal/hear-harmony.ts';
import { withoutPitch } from './tonal/without-pitch.ts';

/** The networks' weights as bytes, because the engine reads no files. Null: signal processing answers the question, or nothing does. */
export type AnalysisModels = {
  beats: Uint8Array | null;
  chords: Uint8Array | null;
  tags: TaggerModels | null;
  voice: Uint8Array | null;
};

/** Called during the work after the last sample: `stage` runs next; `fraction` (0..1) is roughly how much is done, for a progress bar. */
export type ProgressListener = (stage: string, fraction: number) => void;

export type MusicInput = {
  frames: SpectralFrames;
  loudness: MeasuredLoudness['loudness'];
  /** Excerpts for the taggers. */
  patches: readonly KeptPatch[];
  hints: AnalysisHints | undefined;
  models: AnalysisModels;
};

/** The groups to which `hearMusic` contributes. */
export const MUSICAL_GROUPS = [
  'rhythm',
  'tonal',
  'structure',
  'content',
  'fingerprint',
  'tags',
] as const satisfies FeatureGroup[];

export type Music = {
  /** Null, like `tonal` and `structure`, when no musical group was requested. */
  rhythm: Rhythm | null;
  tonal: Tonal | null;
  structure: Structure | null;
  /** Why a group is empty; null where it is not. */
  reasons: Record<'rhythm' | 'tonal' | 'structure', UnavailableReason | null>;
  content: DescribedContent;
  voice: DescribedVoice;
  tags: AnalysedTags;
  /** The networks that were run. */
  models: ModelProvenance[];
};

/** The answers when no musical group was requested. */
export const MUSIC_NOT_REQUESTED: Music = {
  rhythm: null,
  tonal: null,
  structure: null,
  reasons: { rhythm: null, tonal: null, structure: null },
  content: { content: { regions: [] }, speechiness: null, unavailable: { speechiness: 'not_requested' } },
  voice: describeVoice(null, 'not_requested', [], 0, () => false),
  tags: { tags: null, reason: 'not_requested', moodsReason: 'not_requested', noMusic: null, hidden: null },
  models: [],
};

export function hearMusic(input: MusicInput, onProgress: ProgressListener): Music {
  const { frames, patches, models } = input;
  const listener = models.tags && createTagListener(models.tags, ANALYSIS_RATE_HZ, frames.rms);
  const notes = hearNotes(input, listener, onProgress);
  const { rhythm, tonal } = notes;

  onProgress('content', 0.9);
  const content = describeContent(frames, timesOf(rhythm.rhythm.beats));
  const { regions } = content.content;
  const unmusical = findReasonToAbstain(content.content);
  const pulse = unmusical && !rhythm.isMetronome ? withoutPulse(rhythm.rhythm) : rhythm.rhythm;
  const pitch = unmusical ? withoutPitch() : tonal.tonal;
  const voice =
    models.voice &&
    hearVoice(frames.mel, frames.rms, models.voice, regions, listener && rateSung(listener, patches));

  onProgress('structure', 0.92);
  const structure = analyseStructure({
    ...frames,
    beatsSeconds: timesOf(pulse.beats),
    downbeatsSeconds: timesOf(pulse.downbeats),
    tonal: pitch,
    loudness: input.loudness.shortTerm,
    voice: voice?.curve ?? null,
  });

  onProgress('tags', 0.94);
  return tagMusic(input, { ...notes, listener, content, unmusical, pulse, pitch, voice, structure });
}

type HeardNotes = {
  harmony: Harmony;
  rhythm: RhythmAnalysis;
  tonal: TonalAnalysis;
};

/** Chords, beats and key. */
function hearNotes(
  input: MusicInput,
  listener: TagListener | null,
  onProgress: ProgressListener,
): HeardNotes {
  const { frames, patches, hints, models } = input;
  const stage = models.chords ? 'chord network' : 'tonal';
  onProgress(stage, 0.05);
  const harmony = hearHarmony({ ...frames, model: models.chords }, (done) =>
    onProgress(stage, 0.05 + 0.2 * done),
  );
  const style = listener && hearStyle(listener, patches);

  onProgress('rhythm', 0.25);
  const rhythm = analyseRhythm(
    { ...frames, hints, model: models.beats, chords: harmony.learned?.activation ?? null, style },
    (done, stage = 'rhythm') => onProgress(stage, 0.25 + 0.5 * done),
  );

  onProgress('tonal', 0.75);
  const { beats } = rhythm.rhythm;
  return { harmony, rhythm, tonal: analyseTonal({ ...frames, beats, hints, harmony, style }) };
}

type Heard = HeardNotes & {
  listener: TagListener | null;
  content: DescribedContent;
  unmusical: 'speech' | 'noise' | null;
  /** Rhythm and tonality, emptied where the sound is speech or noise. */
  pulse: Rhythm;
  pitch: Tonal;
  voice: HeardVoice | null;
  structure: StructureAnalysis;
};

/** Adds the tags. Sound that the taggers do not take for music loses its key and its form, and its beats unless they are clear. */
function tagMusic({ frames, patches }: MusicInput, heard: Heard): Music {
  const { harmony, listener, rhythm, tonal, content, unmusical, pulse, pitch, voice, structure } = heard;
  const { durationSeconds } = frames;
  const tags = analyseTags(
    { patches, listener, durationSeconds, ...judgeMovement(heard, durationSeconds) },
    content.content,
    unmusical ? [] : structure.structure.sections,
    unmusical,
  );
  const noMusic = unmusical ?? tags.noMusic;
  const noPulse = findReasonToWithholdTempo(content.content, noMusic, pulse);
  const noForm = findReasonToWithholdSections(noMusic, {
    isPitched: tonal.reason === null,
    hasPulse: (noPulse ?? rhythm.reason) === null,
  });
  return {
    rhythm: noPulse ? withoutPulse(pulse) : pulse,
    tonal: noMusic ? withoutPitch() : pitch,
    structure: noForm ? { ...structure.structure, sections: [] } : structure.structure,
    reasons: {
      rhythm: noPulse ?? rhythm.reason,
      tonal: noMusic ?? tonal.reason,
      structure: noMusic ?? structure.reason ?? noForm,
    },
    content,
    voice: describeVoice(
      voice,
      'no_model',
      content.content.regions,
      durationSeconds,
      createRapTest(tags.tags),
    ),
    tags,
    models: [rhythm.models, harmony.models, voice?.models, listener?.models()].flatMap((used) => used ?? []),
  };
}

/** Whether the harmony hardly moves, and whether the sound lacks both notes and beats (content/abstention.ts). */
function judgeMovement(
  { rhythm, tonal, pulse, pitch }: Heard,
  durationSeconds: number,
): { isHarmonyStatic: boolean; lacksSubstance: boolean } {
  const isStatic = isHarmonyStatic(pitch.chords, pulse, durationSeconds);
  const isPitched = tonal.reason === null;
  // Bare clicks are not music, however clear their beats.
  const beatScore = rhythm.isMetronome ? null : rhythm.beatScore;
  return {
    isHarmonyStatic: isStatic,
    lacksSubstance: lacksSubstance({ isPitched, isHarmonyStatic: isStatic, beatScore }),
  };
}

const timesOf = (beats: readonly { timeSeconds: number }[]): number[] =>
  beats.map(({ timeSeconds }) => timeSeconds);
