/** Spells keys and chords as charts do, by the key signature. Results have one fixed spelling for each key. */

import type { Scale } from '@earshot/engine';
import { parseKey } from './pitch-class.ts';
import type { ResultDocument } from './result-document.ts';

const MAJOR_TONICS: Readonly<Record<string, string>> = { 'C#': 'Db' };
const MINOR_TONICS: Readonly<Record<string, string>> = { Ab: 'G#' };

/** Of two names for a tonic, the one with the shorter signature: Db major has five flats, C# major seven sharps. */
export function chartTonic(tonic: string, scale: Scale): string {
  return (scale === 'minor' ? MINOR_TONICS : MAJOR_TONICS)[tonic] ?? tonic;
}

/** "C#" as "Db", "Abm" as "G#m". */
export function chartKey(notation: string): string {
  const key = parseKey(notation);
  return key ? `${chartTonic(key.tonic, key.scale)}${key.scale === 'minor' ? 'm' : ''}` : notation;
}

const FLATS: Readonly<Record<string, string>> = {
  'C#': 'Db',
  'D#': 'Eb',
  'F#': 'Gb',
  'G#': 'Ab',
  'A#': 'Bb',
};

/** The chords of the result. In Eb minor they are spelled with flats: results spell them as in D# minor. */
export function chartChords({ tonal, key_notation }: Pick<ResultDocument, 'tonal' | 'key_notation'>) {
  const chords = tonal?.chords_sevenths ?? [];
  if (key_notation !== 'Ebm') return chords;
  return chords.map((chord) => ({
    ...chord,
    label: chord.label.replace(/^[A-G]#/, (root) => FLATS[root] ?? root),
  }));
}
