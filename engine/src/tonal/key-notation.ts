/** Keys in the notations of DJ software: "Am", and as hours on two circles of fifths, the Camelot wheel of Mixed In Key and the Open Key of Traktor. */

import type { PitchName, Scale } from '../result.ts';
import { keyNumberOf, tonicOf } from './key-name.ts';

/** "A" for A major, "Am" for A minor. */
export function notateKey(key: PitchName, scale: Scale): string {
  return scale === 'minor' ? `${key}m` : key;
}

/** The hour on the Camelot wheel, 1..12, with A for minor and B for major: A minor is 8A, C major 8B. */
export function notateCamelot(key: PitchName, scale: Scale): string {
  return `${hourOnWheel(key, scale, CAMELOT_HOUR_OF_C_MAJOR)}${scale === 'minor' ? 'A' : 'B'}`;
}

/** The hour in Open Key, 1..12, with m for minor and d for major: A minor is 1m, C major 1d. */
export function notateOpenKey(key: PitchName, scale: Scale): string {
  return `${hourOnWheel(key, scale, OPEN_KEY_HOUR_OF_C_MAJOR)}${scale === 'minor' ? 'm' : 'd'}`;
}

const CAMELOT_HOUR_OF_C_MAJOR = 8;
const OPEN_KEY_HOUR_OF_C_MAJOR = 1;
const SEMITONES_FROM_MINOR_TO_RELATIVE_MAJOR = 3;

function hourOnWheel(key: PitchName, scale: Scale, hourOfCMajor: number): number {
  const relativeMajor =
    tonicOf(keyNumberOf(key, scale)) + (scale === 'minor' ? SEMITONES_FROM_MINOR_TO_RELATIVE_MAJOR : 0);
  // A fifth is seven semitones, and seven is its own inverse modulo twelve.
  const fifthsFromC = (relativeMajor * 7) % 12;
  return ((hourOfCMajor - 1 + fifthsFromC) % 12) + 1;
}
