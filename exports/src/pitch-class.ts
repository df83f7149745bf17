import type { Scale } from '@earshot/engine';
import { mod } from './modulo.ts';

const NATURALS_SEMITONES_ABOVE_C: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** The pitch class of a note name, 0..11 from C; null if it is not a note name. */
export function pitchClassOf(note: string): number | null {
  const [, letter, accidental] = /^([A-G])([#b]?)$/.exec(note) ?? [];
  if (letter === undefined) return null;
  return (NATURALS_SEMITONES_ABOVE_C[letter]! + (accidental === '#' ? 1 : accidental === 'b' ? 11 : 0)) % 12;
}

/** Reads a key in the notation of results, "A" or "Am"; null if it is not one. */
export function parseKey(notation: string): { tonic: string; pitchClass: number; scale: Scale } | null {
  const [, tonic, minor] = /^([A-G][b#]?)(m?)$/.exec(notation) ?? [];
  const pitchClass = tonic === undefined ? null : pitchClassOf(tonic);
  if (tonic === undefined || pitchClass === null) return null;
  return { tonic, pitchClass, scale: minor === 'm' ? 'minor' : 'major' };
}

/** The natural notes in order of fifths. As major keys, F has one flat, C none, G one sharp, and B five. */
const NATURALS_BY_FIFTHS = 'FCGDAEB';
const SIGNATURE_MAX = 7;

/** The position of a note on the line of fifths, from C: G is 1, F -1, F# 6, Bb -2. */
export function fifthsOf(note: string): number {
  const accidental = note.endsWith('#') ? 1 : note.endsWith('b') ? -1 : 0;
  return NATURALS_BY_FIFTHS.indexOf(note[0]!) - 1 + 7 * accidental;
}

const NOTES_BY_FIFTHS = 'Gb Db Ab Eb Bb F C G D A E B F# C# G# D# A#'.split(' ');
const FIRST_FIFTHS = -6;

/** Beyond Gb and A#, the enharmonic note that musicians prefer to read: E rather than Fb. */
export function noteAtFifths(fifths: number): string {
  const place = fifths - FIRST_FIFTHS;
  return NOTES_BY_FIFTHS[place] ?? NOTES_BY_FIFTHS[mod(place, 12)]!;
}

/** The sharps (positive) or flats (negative) of a key as it is spelled; with more than seven, those of its enharmonic key. */
export function signatureOf(tonic: string, scale: Scale): number {
  const sharps = fifthsOf(tonic) - (scale === 'minor' ? 3 : 0);
  return Math.abs(sharps) > SIGNATURE_MAX ? sharps - 12 * Math.sign(sharps) : sharps;
}
