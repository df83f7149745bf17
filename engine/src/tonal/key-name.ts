/**
 * How are keys and pitch classes named?
 *
 * A pitch class is 0..11 from C. A key is 0..23: twelve major keys from C, then twelve minor keys from C.
 * The `key` field of a result uses one fixed name per pitch class (PITCH_NAMES), so that equal keys compare equal. Chord
 * labels use the names that a chart in their key would use: on the line of fifths, the twelve names from five below the tonic to
 * six above it (in C: Db Ab Eb Bb F C G D A E B F#). These give each degree of the scale a letter of its own, and b2, b3, b6, b7
 * and #4 to the other tones. Names outside of Gb to A# (Fb, E#, double accidentals) are replaced by their plain neighbour,
 * because chart readers prefer "E" to "Fb".
 */

import type { PitchName, Scale } from '../result.ts';

export const PITCH_CLASS_COUNT = 12;
export const KEY_COUNT = 24;

const PITCH_NAMES: readonly PitchName[] = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

/** Names along the line of fifths from Gb (-6) to A# (10). */
const LINE_OF_FIFTHS = [
  'Gb',
  'Db',
  'Ab',
  'Eb',
  'Bb',
  'F',
  'C',
  'G',
  'D',
  'A',
  'E',
  'B',
  'F#',
  'C#',
  'G#',
  'D#',
  'A#',
];
const LINE_START = -6;
const LINE_END = LINE_START + LINE_OF_FIFTHS.length - 1;
/** How far below the tonic the names of a key begin on the line of fifths. */
const FIFTHS_BELOW_TONIC = 5;
/** The tonic of the major key with most flats, Db, on the line; the twelve major keys run from it to F#. */
const FIRST_MAJOR_TONIC = -5;

const LETTER_PITCH_CLASSES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

export function createKey(tonic: number, scale: Scale): number {
  return (((tonic % 12) + 12) % 12) + (scale === 'minor' ? 12 : 0);
}

/** The number, 0..23, of a key as named in a result. */
export function keyNumberOf(key: PitchName, scale: Scale): number {
  return createKey(PITCH_NAMES.indexOf(key), scale);
}

export function tonicOf(key: number): number {
  return key % 12;
}

export function scaleOf(key: number): Scale {
  return key < 12 ? 'major' : 'minor';
}

export function pitchNameOf(pitchClass: number): PitchName {
  return PITCH_NAMES[pitchClass]!;
}

/** The name a chart in `key` gives to a pitch class; without a key, as in C. */
export function spellPitchClass(pitchClass: number, key: number | null): string {
  const first = key === null ? -FIFTHS_BELOW_TONIC : tonicOnLineOfFifths(key) - FIFTHS_BELOW_TONIC;
  let position = placeOnLine(pitchClass, first);
  if (position < LINE_START) position += 12;
  if (position > LINE_END) position -= 12;
  return LINE_OF_FIFTHS[position - LINE_START]!;
}

/**
 * The keys that a hint allows, written as people write keys ("A", "Am", "F# minor", "Bb:min", "c#m"): both scales when only a
 * tonic is named. Null when the text is not a key.
 */
export function parseKeyHint(text: string): number[] | null {
  const match = /^\s*([A-Ga-g])([#♯b♭]*)[\s:_-]*(.*?)\s*$/.exec(text);
  if (!match) return null;
  const [, letter, accidentals, written] = match;
  // "MINOR" and "Minor", but not "M", which is major.
  const mode = written!.replace(/^[A-Z](?:[A-Z]+|[a-z]+)$/, (word) => word.toLowerCase());
  let tonic = LETTER_PITCH_CLASSES[letter!.toUpperCase()]!;
  for (const accidental of accidentals!) tonic += accidental === '#' || accidental === '♯' ? 1 : -1;
  if (mode === '') return [createKey(tonic, 'major'), createKey(tonic, 'minor')];
  if (/^(m|mi|min|minor|moll|aeolian)$/.test(mode)) return [createKey(tonic, 'minor')];
  if (/^(M|maj|major|dur|ionian)$/.test(mode)) return [createKey(tonic, 'major')];
  return null;
}

function tonicOnLineOfFifths(key: number): number {
  // A minor key is written with the signature of its relative major, whose tonic lies three fifths below its own.
  if (scaleOf(key) === 'major') return placeOnLine(tonicOf(key), FIRST_MAJOR_TONIC);
  return placeOnLine((tonicOf(key) + 3) % 12, FIRST_MAJOR_TONIC) + 3;
}

/** The position of a pitch class among the twelve from `first` on. */
function placeOnLine(pitchClass: number, first: number): number {
  const steps = (((pitchClass * 7 - first) % 12) + 12) % 12;
  return first + steps;
}
