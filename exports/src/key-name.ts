/** Keys as people write them, and their positions on the Camelot wheel. */

import {
  notateCamelot,
  notateKey,
  notateOpenKey,
  type PitchName,
  pitchNameOf,
  type Scale,
} from '@earshot/engine';
import { mod } from './modulo.ts';
import { pitchClassOf } from './pitch-class.ts';

type KeyName = { key: PitchName; scale: Scale };

const WORDS = /^([A-Ga-g])([#b♯♭]?)[\s:]*(major|maj|minor|min|m)?$/;
const WHEEL = /^(1[0-2]|[1-9])([ABmd])$/i;
/** From Traktor's Open Key, where C major is 1, to the Camelot wheel, where it is 8. */
const OPEN_KEY_OFFSET_HOURS = 7;

/** Reads "C minor", "Cm", "C:min", "C", "5A" and Traktor's "10m"; null if the text is not a key. */
export function readKeyName(text: string): KeyName | null {
  const trimmed = text.trim();
  return readWords(trimmed) ?? readHour(trimmed);
}

function readWords(text: string): KeyName | null {
  const match = WORDS.exec(text);
  if (!match) return null;
  const accidental = (match[2] ?? '').replace('♯', '#').replace('♭', 'b');
  const pitchClass = pitchClassOf(`${match[1]!.toUpperCase()}${accidental}`);
  if (pitchClass === null) return null;
  return {
    key: pitchNameOf(pitchClass),
    scale: match[3]?.startsWith('m') && !match[3].startsWith('maj') ? 'minor' : 'major',
  };
}

function readHour(text: string): KeyName | null {
  const match = WHEEL.exec(text);
  if (!match) return null;
  const letter = match[2]!.toLowerCase();
  const hour = Number(match[1]);
  const isOpenKey = letter === 'm' || letter === 'd';
  const camelotHour = isOpenKey ? ((hour - 1 + OPEN_KEY_OFFSET_HOURS) % 12) + 1 : hour;
  // Each hour is a fifth, seven semitones, and C major is at eight. The relative minor is nine semitones above its major.
  const relativeMajor = mod((camelotHour - 8) * 7, 12);
  return letter === 'a' || letter === 'm'
    ? { key: pitchNameOf((relativeMajor + 9) % 12), scale: 'minor' }
    : { key: pitchNameOf(relativeMajor), scale: 'major' };
}

/** The three notations of a key in the summary. */
export function notationsOf({ key, scale }: KeyName): {
  key_notation: string;
  camelot: string;
  open_key: string;
} {
  return {
    key_notation: notateKey(key, scale),
    camelot: notateCamelot(key, scale),
    open_key: notateOpenKey(key, scale),
  };
}

/** 0 to 23 around the wheel: 1A, 1B, 2A, … Keys with neighbouring numbers sound related. */
export function wheelNumberOf(camelot: string): number {
  return (Number.parseInt(camelot, 10) - 1) * 2 + (camelot.endsWith('B') ? 1 : 0);
}
