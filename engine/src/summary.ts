/** The flat summary that most clients read first: nothing new, only the groups' main answers under well-known names. */

import type { Descriptors } from './descriptors/descriptors.ts';
import type { Loudness, PitchName, Rhythm, Scale, Summary, Tags, Tonal } from './result.ts';

type SummarisedGroups = {
  durationSeconds: number;
  rhythm: Rhythm | null;
  tonal: Tonal | null;
  loudness: Loudness | null;
  tags: Tags | null;
};

export function summarise({
  durationSeconds,
  rhythm,
  tonal,
  loudness,
  tags,
}: SummarisedGroups): Omit<Summary, keyof Descriptors> {
  const key = tonal?.key ?? null;
  const scale = tonal?.scale ?? null;
  const hasKey = key !== null && scale !== null;
  return {
    durationSeconds,
    bpm: rhythm?.bpm ?? null,
    bpmConfidence: rhythm?.confidence ?? null,
    timeSignature: rhythm?.timeSignature?.beatsPerBar ?? null,
    key,
    scale,
    keyNotation: hasKey ? notateKey(key, scale) : null,
    keyConfidence: tonal?.confidence ?? null,
    camelot: hasKey ? notateCamelot(key, scale) : null,
    openKey: hasKey ? notateOpenKey(key, scale) : null,
    loudnessLufs: loudness?.integratedLufs ?? null,
    truePeakDbtp: loudness?.truePeakDbtp ?? null,
    moodTags: tags?.moods.map(({ label }) => label) ?? [],
    genreSuggestions: tags?.genres.map(({ label }) => label) ?? [],
  };
}

/** "A" for A major, "Am" for A minor. */
export function notateKey(key: PitchName, scale: Scale): string {
  return scale === 'minor' ? `${key}m` : key;
}

/** DJs' wheel of fifths: 1..12, A for minor and B for major; A minor is 8A, C major 8B. */
export function notateCamelot(key: PitchName, scale: Scale): string {
  return `${hourOnWheel(key, scale, CAMELOT_HOUR_OF_C_MAJOR)}${scale === 'minor' ? 'A' : 'B'}`;
}

/** The same wheel as Traktor numbers it: A minor is 1m, C major 1d. */
export function notateOpenKey(key: PitchName, scale: Scale): string {
  return `${hourOnWheel(key, scale, OPEN_KEY_HOUR_OF_C_MAJOR)}${scale === 'minor' ? 'm' : 'd'}`;
}

const PITCH_NAMES: PitchName[] = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];
const CAMELOT_HOUR_OF_C_MAJOR = 8;
const OPEN_KEY_HOUR_OF_C_MAJOR = 1;
const SEMITONES_FROM_MINOR_TO_RELATIVE_MAJOR = 3;

function hourOnWheel(key: PitchName, scale: Scale, hourOfCMajor: number): number {
  const tonic = PITCH_NAMES.indexOf(key) + (scale === 'minor' ? SEMITONES_FROM_MINOR_TO_RELATIVE_MAJOR : 0);
  // A fifth is seven semitones, and seven is its own inverse modulo twelve.
  const fifthsFromC = (tonic * 7) % 12;
  return ((hourOfCMajor - 1 + fifthsFromC) % 12) + 1;
}
