/**
 * Is there music, and enough of it to tell a tempo, a key and a form?
 *
 * A beat tracker finds beats in everything, and a key finder keys. Where the whole file is speech or noise nothing is told of either; where music is
 * doubtful, only what is plain. Rules over what the others heard, ours; the numbers were chosen on the recordings they name.
 */

import type { Chord, Content } from '../result.ts';

/** Of the regions, weighted by length. A choice. */
const CONFIDENCE_MIN = 0.8;
/** A tempo that is surer than this is one, even if what has it is a metronome or a clock. A choice. */
const PLAIN_PULSE_CONFIDENCE = 0.75;

/**
 * So many harmonies have bells and sirens, which the taggers call classical; one more where there is hardly a pulse. Of 46 recordings of classical music each has four and
 * more in its half minute. Chosen on 21 bells and sirens of ESC-50; of 16 others one, a siren, still gets a genre.
 */
const STILL_HARMONIES_MAX = 2;
const PULSE_CONFIDENCE_MIN = 0.6;
/** Of anything shorter, two harmonies may be all there is. */
const STILL_SECONDS_MIN = 20;

/**
 * Without notes, beats must be this plain (rhythm/confidence.ts) for music: raps over a bare beat reach 3.7 and drum loops 4.8, where crying, knocking, brushing and crickets, each
 * played six times over, stay below 2.3.
 */
const BARE_BEAT_SCORE_MIN = 3;
/** And so plain where one harmony is all there is: a blues on one chord reaches 1.7, a car horn 1. */
const STILL_BEAT_SCORE_MIN = 1.4;

type Regions = Pick<Content, 'regions'>;

/** The reason to say nothing about beats, keys and form; null when there may be music. */
export function findReasonToAbstain(content: Regions): 'speech' | 'noise' | null {
  const unmusical = nameUnmusical(content);
  return unmusical !== null && unmusical.confidence >= CONFIDENCE_MIN ? unmusical.kind : null;
}

/** The reason to keep a tempo back: nothing is called music, however hesitantly, or `noMusic`, and the pulse is not plain either. */
export function findReasonAgainstPulse(
  content: Regions,
  noMusic: 'speech' | 'noise' | null,
  { confidence }: { confidence: number | null },
): 'speech' | 'noise' | null {
  const isPlain = confidence !== null && confidence >= PLAIN_PULSE_CONFIDENCE;
  return isPlain ? null : (noMusic ?? nameUnmusical(content)?.kind ?? null);
}

/** Whether a sound stays where it is, as bells and sirens do: its harmony hardly moves. */
export function isStill(
  chords: readonly Pick<Chord, 'label'>[],
  { confidence }: { confidence: number | null },
  durationSeconds: number,
): boolean {
  const hasPulse = confidence !== null && confidence >= PULSE_CONFIDENCE_MIN;
  const harmoniesMax = hasPulse ? STILL_HARMONIES_MAX : STILL_HARMONIES_MAX + 1;
  const harmonies = new Set(chords.map(({ label }) => label));
  return durationSeconds >= STILL_SECONDS_MIN && harmonies.size <= harmoniesMax;
}

/** Whether there is nothing that music is made of: neither notes nor a plain beat, or a sound that stays where it is with hardly one. */
export function isBare(sound: { isPitched: boolean; isStill: boolean; beatScore: number | null }): boolean {
  const isHardly = (scoreMin: number) => sound.beatScore === null || sound.beatScore < scoreMin;
  if (!sound.isPitched) return isHardly(BARE_BEAT_SCORE_MIN);
  return sound.isStill && isHardly(STILL_BEAT_SCORE_MIN);
}

/** The reason to tell no sections: it is no music, or has neither notes nor a pulse, as an engine that starts six times over. */
export function findReasonAgainstForm(
  noMusic: 'speech' | 'noise' | null,
  { isPitched, hasPulse }: { isPitched: boolean; hasPulse: boolean },
): 'speech' | 'noise' | null {
  return noMusic ?? (isPitched || hasPulse ? null : 'noise');
}

/** What prevails where nothing is music, and how surely it is that; null where something is, or nothing sounds. */
function nameUnmusical({ regions }: Regions): { kind: 'speech' | 'noise'; confidence: number } | null {
  const sounding = regions.filter(({ kind }) => kind !== 'silence');
  if (sounding.length === 0 || sounding.some(({ kind }) => kind === 'music')) return null;
  let seconds = 0;
  let speechSeconds = 0;
  let confidence = 0;
  for (const region of sounding) {
    const lengthSeconds = region.endSeconds - region.startSeconds;
    seconds += lengthSeconds;
    confidence += lengthSeconds * region.confidence;
    if (region.kind === 'speech') speechSeconds += lengthSeconds;
  }
  return { kind: speechSeconds >= seconds / 2 ? 'speech' : 'noise', confidence: confidence / seconds };
}
