/**
 * Is there music, and enough of it to report a tempo, a key and sections?
 *
 * A beat tracker finds beats in anything, and a key finder finds a key. Where the whole file is surely speech or noise, none of them is reported; where
 * it may be music, a tempo is reported if the pulse is plain. The rules are ours; their thresholds were chosen on the recordings named below.
 */

import type { Chord, Content } from '../result.ts';

/** Chosen. Mean confidence of the regions, weighted by length, from which the file counts as speech or noise. */
const CONFIDENCE_MIN = 0.8;
/** Chosen. From this confidence on a pulse has a tempo, even if it is that of a metronome or a clock. */
const PLAIN_PULSE_CONFIDENCE = 0.75;

/**
 * Bells and sirens, which the taggers call classical, have at most this many different chords, or one more where there is hardly a pulse. Each of 46
 * recordings of classical music has four or more in half a minute. Chosen on 21 bells and sirens of ESC-50; of 16 others one, a siren, still gets a genre.
 */
const STILL_HARMONIES_MAX = 2;
/** Chosen. Below this confidence there is hardly a pulse. */
const PULSE_CONFIDENCE_MIN = 0.6;
/** Chosen. Shorter music may hold only two chords although it moves. */
const STILL_SECONDS_MIN = 20;

/**
 * Sound without notes is music only if its beats score this high (rhythm/confidence.ts): raps over a bare beat reach 3.7 and drum loops 4.8; crying,
 * knocking, brushing and crickets, each played six times over, stay below 2.3.
 */
const BARE_BEAT_SCORE_MIN = 3;
/** The same for notes whose harmony does not move: a blues on one chord reaches 1.7, a car horn 1. */
const STILL_BEAT_SCORE_MIN = 1.4;

type Regions = Pick<Content, 'regions'>;

/** The reason to report no beats, key or sections; null when there may be music. */
export function findReasonToAbstain(content: Regions): 'speech' | 'noise' | null {
  const unmusical = nameUnmusical(content);
  return unmusical !== null && unmusical.confidence >= CONFIDENCE_MIN ? unmusical.kind : null;
}

/** The reason to withhold a tempo that is not plain: `noMusic`, or that no region is music, at whatever confidence. Null to report the tempo. */
export function findReasonAgainstPulse(
  content: Regions,
  noMusic: 'speech' | 'noise' | null,
  { confidence }: { confidence: number | null },
): 'speech' | 'noise' | null {
  const isPlain = confidence !== null && confidence >= PLAIN_PULSE_CONFIDENCE;
  return isPlain ? null : (noMusic ?? nameUnmusical(content)?.kind ?? null);
}

/** Whether the harmony hardly moves, as with bells and sirens. */
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

/** Whether the sound lacks what music is made of: it has neither notes nor a plain beat, or its harmony hardly moves over a weak beat. */
export function isBare(sound: { isPitched: boolean; isStill: boolean; beatScore: number | null }): boolean {
  const hasBeat = (scoreMin: number) => sound.beatScore !== null && sound.beatScore >= scoreMin;
  if (!sound.isPitched) return !hasBeat(BARE_BEAT_SCORE_MIN);
  return sound.isStill && !hasBeat(STILL_BEAT_SCORE_MIN);
}

/** The reason to report no sections: the sound is no music, or has neither notes nor a pulse, like an engine that starts six times over. */
export function findReasonAgainstForm(
  noMusic: 'speech' | 'noise' | null,
  { isPitched, hasPulse }: { isPitched: boolean; hasPulse: boolean },
): 'speech' | 'noise' | null {
  return noMusic ?? (isPitched || hasPulse ? null : 'noise');
}

/** Whether speech or noise prevails, and with what confidence; null when a region is music or nothing sounds. */
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
