/**
 * Is there music, so that a tempo, a key and sections may be reported?
 *
 * A beat tracker finds beats in anything, and a key finder finds a key. So a file without music has
 *
 * speech or noise, with confidence   no key and no sections, and a tempo only if it is a plain metronome (rhythm/metronome.ts)
 * the same, with less confidence     a tempo only if its pulse is plain
 * noise, according to the taggers    no key and no sections, and a tempo only if its pulse is plain
 *
 * The rules are ours, and their thresholds were set by hand, on the recordings named below where there are any.
 */

import type { Chord, Content } from '../result.ts';

/** From this mean confidence of the regions, weighted by length, the whole file counts as speech or noise. */
const CONFIDENCE_MIN = 0.8;
/** From this confidence a pulse is plain, as that of a metronome or a clock is. */
const PLAIN_PULSE_CONFIDENCE_MIN = 0.75;

/**
 * Bells and sirens, which the taggers call classical, have at most this many different chords, or one more where there is hardly a pulse; "no chord" counts as
 * one. Each of 46 recordings of classical music has four or more in half a minute. Tuned on 21 bells and sirens of ESC-50; of 16 others it missed one, a
 * siren, before the beat scores below were added.
 */
const STATIC_CHORDS_MAX = 2;
/** Below this confidence there is hardly a pulse. */
const PULSE_CONFIDENCE_MIN = 0.6;
/** In less time, music that does move may have only two chords. */
const STATIC_SECONDS_MIN = 20;

/**
 * Sound without notes is music only if its beats score this high (rhythm/confidence.ts): raps over drums alone reach 3.7 and drum loops 4.8; crying,
 * knocking, brushing and crickets, each played six times over, stay below 2.3.
 */
const UNPITCHED_BEAT_SCORE_MIN = 3;
/** The same for notes whose harmony does not move: a blues on one chord reaches 1.7, a car horn 1. */
const STATIC_BEAT_SCORE_MIN = 1.4;

type Regions = Pick<Content, 'regions'>;

/** The reason to report no key, no sections and, unless they are a metronome's, no beats; null when there may be music. */
export function findReasonToAbstain(content: Regions): 'speech' | 'noise' | null {
  const unmusical = findUnmusicalKind(content);
  return unmusical !== null && unmusical.confidence >= CONFIDENCE_MIN ? unmusical.kind : null;
}

/** The reason to withhold a tempo that is not plain: `noMusic`, or that no region is music, at whatever confidence. Null to report the tempo. */
export function findReasonToWithholdTempo(
  content: Regions,
  noMusic: 'speech' | 'noise' | null,
  { confidence }: { confidence: number | null },
): 'speech' | 'noise' | null {
  const isPlain = confidence !== null && confidence >= PLAIN_PULSE_CONFIDENCE_MIN;
  return isPlain ? null : (noMusic ?? findUnmusicalKind(content)?.kind ?? null);
}

/** Whether the harmony hardly moves, like that of bells and sirens. */
export function isHarmonyStatic(
  chords: readonly Pick<Chord, 'label'>[],
  { confidence }: { confidence: number | null },
  durationSeconds: number,
): boolean {
  const hasPulse = confidence !== null && confidence >= PULSE_CONFIDENCE_MIN;
  const chordsMax = hasPulse ? STATIC_CHORDS_MAX : STATIC_CHORDS_MAX + 1;
  const differentChords = new Set(chords.map(({ label }) => label));
  return durationSeconds >= STATIC_SECONDS_MIN && differentChords.size <= chordsMax;
}

/** Whether the sound is too little to be music: it has neither notes nor a plain beat, or a static harmony without a beat or over a weak one. */
export function lacksSubstance(sound: {
  isPitched: boolean;
  isHarmonyStatic: boolean;
  beatScore: number | null;
}): boolean {
  const hasBeat = (scoreMin: number) => sound.beatScore !== null && sound.beatScore >= scoreMin;
  if (!sound.isPitched) return !hasBeat(UNPITCHED_BEAT_SCORE_MIN);
  return sound.isHarmonyStatic && !hasBeat(STATIC_BEAT_SCORE_MIN);
}

/** The reason to report no sections: the sound is no music, or has neither notes nor a pulse, like an engine that is started six times. */
export function findReasonToWithholdSections(
  noMusic: 'speech' | 'noise' | null,
  { isPitched, hasPulse }: { isPitched: boolean; hasPulse: boolean },
): 'speech' | 'noise' | null {
  return noMusic ?? (isPitched || hasPulse ? null : 'noise');
}

/** Which of speech and noise lasts longer, and the mean confidence of both; null when a region is music or all are silent. */
function findUnmusicalKind({ regions }: Regions): { kind: 'speech' | 'noise'; confidence: number } | null {
  const sounding = regions.filter(({ kind }) => kind !== 'silence');
  if (sounding.length === 0 || sounding.some(({ kind }) => kind === 'music')) return null;
  let seconds = 0;
  let speechSeconds = 0;
  let confidenceSeconds = 0;
  for (const region of sounding) {
    const lengthSeconds = region.endSeconds - region.startSeconds;
    seconds += lengthSeconds;
    confidenceSeconds += lengthSeconds * region.confidence;
    if (region.kind === 'speech') speechSeconds += lengthSeconds;
  }
  return {
    kind: speechSeconds >= seconds / 2 ? 'speech' : 'noise',
    confidence: confidenceSeconds / seconds,
  };
}
