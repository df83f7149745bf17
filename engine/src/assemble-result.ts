/** Assembles the result: the requested groups, the summary and a reason for each absent value, with numbers rounded (precision.ts). */

import { computeDescriptors } from './descriptors/descriptors.ts';
import type { Chromaprint } from './fingerprint/chromaprint.ts';
import { EMBEDDING_VERSION, embed } from './fingerprint/embedding.ts';
import type { Music } from './hear-music.ts';
import type { MeasuredLoudness } from './loudness/loudness.ts';
import { roundNumbers } from './precision.ts';
import {
  type AnalysisResult,
  FEATURE_GROUPS,
  type FeatureGroup,
  type Quality,
  type Timbre,
  type UnavailableReason,
  type Waveform,
} from './result.ts';
import { summarise } from './summary.ts';

type Unavailable = Record<string, UnavailableReason>;
type Groups = Omit<AnalysisResult, 'summary' | 'models' | 'unavailable' | 'supplement'>;

/** What is measured on the samples and their spectra, whether or not the sound is music. */
export type Measurements = {
  durationSeconds: number;
  loudness: MeasuredLoudness;
  quality: { quality: Quality; unavailable: Unavailable };
  timbre: { timbre: Timbre; unavailable: Unavailable };
  waveform: Waveform;
  chromaprint: Chromaprint;
};

export function assembleResult(
  measured: Measurements,
  music: Music,
  wanted: ReadonlySet<FeatureGroup>,
): Omit<AnalysisResult, 'supplement'> {
  const { rhythm, tonal, structure, content, voice } = music;
  const { loudness } = measured.loudness;
  const { timbre } = measured.timbre;
  const sound = { loudness, timbre, rhythm, tonal };
  const { speechiness } = content;
  const { instrumentalness } = voice;
  const { descriptors, unavailable } = computeDescriptors({
    ...sound,
    speechiness,
    instrumentalness,
    reasons: { ...music.reasons, sound: findSoundReason(measured) },
  });
  const embedding = embed({ ...sound, hidden: music.tags.hidden });
  const groups: Groups = {
    durationSeconds: measured.durationSeconds,
    rhythm,
    tonal,
    structure,
    loudness,
    timbre,
    quality: measured.quality.quality,
    content: { ...content.content, ...voice.voice },
    waveform: measured.waveform,
    fingerprint: { ...measured.chromaprint, embedding, embeddingVersion: EMBEDDING_VERSION },
    tags: music.tags.tags,
  };
  const reasons = { ...explainAbsence(measured, music, groups, wanted.has('tags')), ...unavailable };
  const result = keepWanted(groups, reasons, wanted);
  return roundNumbers({
    ...result,
    summary: { ...summarise({ ...groups, tags: result.tags }), ...descriptors },
    models: music.models,
  });
}

/** Why the loudness or the timbre is unknown; null if both are known. */
function findSoundReason({ loudness, timbre }: Measurements): UnavailableReason | null {
  return (
    loudness.unavailable['loudness.integrated_lufs'] ??
    timbre.unavailable['timbre.centroid_hz'] ??
    timbre.unavailable['timbre.tonal_balance'] ??
    null
  );
}

function explainAbsence(
  { loudness, quality, timbre }: Measurements,
  { reasons, content, voice, tags }: Music,
  { fingerprint }: Groups,
  tagsAreWanted: boolean,
): Unavailable {
  const notRequested = tagsAreWanted ? null : 'not_requested';
  return {
    ...loudness.unavailable,
    ...quality.unavailable,
    ...timbre.unavailable,
    ...content.unavailable,
    ...explain(reasons.rhythm, ['rhythm.bpm', 'rhythm.beats', 'rhythm.time_signature']),
    ...explain(reasons.tonal, ['tonal.key', 'tonal.chords']),
    ...explain(reasons.structure, ['structure.sections']),
    ...explain(fingerprint?.chromaprint === null ? 'too_short' : null, ['fingerprint.chromaprint']),
    ...explain(fingerprint?.embedding === null ? 'silence' : null, ['fingerprint.embedding']),
    ...explain(voice.reason, ['content.voice_presence', 'instrumentalness']),
    ...explain(tags.tags === null ? tags.reason : null, ['tags']),
    ...explain(notRequested ?? tags.reason, ['tags.genres', 'genre_suggestions']),
    ...explain(notRequested ?? tags.moodsReason, ['tags.moods', 'mood_tags']),
  };
}

function explain(reason: UnavailableReason | null, names: string[]): Unavailable {
  return reason ? Object.fromEntries(names.map((name) => [name, reason])) : {};
}

/** Removes the groups that were not requested. Their own reasons give way to one `not_requested` for the whole group. */
function keepWanted(
  groups: Groups,
  unavailable: Unavailable,
  wanted: ReadonlySet<FeatureGroup>,
): Groups & Pick<AnalysisResult, 'unavailable'> {
  const kept = { ...groups, unavailable: { ...unavailable } };
  for (const group of FEATURE_GROUPS) {
    if (wanted.has(group)) continue;
    kept[group] = null;
    for (const name of Object.keys(kept.unavailable)) {
      if (name.startsWith(`${group}.`)) delete kept.unavailable[name];
    }
    kept.unavailable[group] = 'not_requested';
  }
  return kept;
}
