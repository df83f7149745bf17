/**
 * How are keys and pitch classes named?
 *
 * A pitch class is 0..11 from C. A key is 0..23: twelve major keys from C, then twelve minor keys from C. The `key` field of a result has one fixed name
 * per pitch class (PITCH_NAMES), so that equal keys compare equal. Chord labels are spelled as in a chart in their key: with the twelve names on the line
 * of fifths from five below the tonic to six above it (in C: Db Ab Eb Bb F C G D A E B F#). These spell each degree of the major scale with a different
 * letter and the other tones as b2, b3, b6, b7 and #4. Names outside Gb to A# (Fb, E#, double accidentals) are replaced by their enharmonic equivalent,
 * because readers of charts prefer "E" to "Fb". The rules are our own.
 */

import type { PitchName, Scale } from '../result.ts';

export const PITCH_CLASS_COUNT = 12;
export const KEY_COUNT = 24;

const PITCH_NAMES: readonly PitchName[] = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

/** Names along the line of fifths from Gb (-6) to A# (10). */
const LINE_OF_FIFTHS = 'Gb Db Ab Eb Bb F C G D A E B F# C# G# D# A#'.split(' ');
const LINE_START = -6;
const LINE_END = LINE_START + LINE_OF_FIFTHS.length - 1;
/** How many fifths below the tonic the names of a key start. */
const FIFTHS_BELOW_TONIC = 5;
/** The position of Db. Of the major keys, the twelve from Db to F# are used. */
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

/** The name of a pitch class in a chart in `key`; without a key, as in C. */
export function spellPitchClass(pitchClass: number, key: number | null): string {
  const first = key === null ? -FIFTHS_BELOW_TONIC : tonicOnLineOfFifths(key) - FIFTHS_BELOW_TONIC;
  let position = placeOnLine(pitchClass, first);
  if (position < LINE_START) position += 12;
  if (position > LINE_END) position -= 12;
  return LINE_OF_FIFTHS[position - LINE_START]!;
}

/**
 * The keys that a hint allows, in any common notation ("A", "Am", "F# minor", "Bb:min", "c#m"). A tonic alone allows both scales. Null if the text is
 * not a key.
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
  // A minor key has the signature of its relative major, whose tonic is three fifths below.
  if (scaleOf(key) === 'major') return placeOnLine(tonicOf(key), FIRST_MAJOR_TONIC);
  return placeOnLine((tonicOf(key) + 3) % 12, FIRST_MAJOR_TONIC) + 3;
}

/** The position of a pitch class on the line of fifths, among the twelve from `first` on. */
function placeOnLine(pitchClass: number, first: number): number {
  const steps = (((pitchClass * 7 - first) % 12) + 12) % 12;
  return first + steps;
}
