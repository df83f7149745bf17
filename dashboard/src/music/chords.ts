import { nameAt, placeOf } from './spelling.ts';

/**
 * A chord label in Harte's syntax (Harte et al., "Symbolic Representation of Musical Chords", ISMIR 2005) as players write it, transposed
 * on the line of fifths: "C:maj/3" is "C/E", and "A:min7" moved by two fifths, a whole tone, is "Bm7".
 */
export function showChord(label: string, fifths = 0): string {
  const match = /^([A-G][#b]?)(?::([^/]*))?(?:\/(.+))?$/.exec(label);
  if (!match) return label === 'N' ? '–' : label;
  const [, root, quality = 'maj', bass] = match;
  const place = placeOf(root!) + fifths;
  const bassFifths = bass === undefined ? null : degreeFifths(bass, quality);
  return `${nameAt(place)}${showQuality(quality)}${bassFifths === null ? '' : `/${nameAt(place + bassFifths)}`}`;
}

function showQuality(quality: string): string {
  return quality
    .replace(/^maj$/, '')
    .replace(/^maj6$/, '6')
    .replace(/^min/, 'm')
    .replace('hdim7', 'ø7')
    .replace('dim', '°')
    .replace('aug', '+');
}

/** Degrees of the major scale, with accidentals, on the line of fifths from 6 below the root to 5 above. */
const DEGREES = ['b5', 'b2', 'b6', 'b3', 'b7', '4', '1', '5', '2', '6', '3', '7'];
const UNISON = DEGREES.indexOf('1');

/** The distance in fifths from the root to a bass given as a scale degree, as in Harte's syntax; null if it is not a degree. */
function degreeFifths(degree: string, quality: string): number | null {
  const match = /^([b#]*)([1-7])$/.exec(degree);
  if (!match) return null;
  // Older labels write "/3" for the chord's own third, also where that is minor.
  const signs = degree === '3' && /^(min|dim|hdim)/.test(quality) ? 'b' : match[1]!;
  const alteration = [...signs].reduce((sum, sign) => sum + (sign === 'b' ? -7 : 7), 0);
  return DEGREES.indexOf(match[2]!) - UNISON + alteration;
}

/** The label in Harte's syntax of a chord that a player typed ("Bbm7", "C#", "N", "D/F#"); null if it is not a chord. */
export function readChord(text: string): string | null {
  const typed = text.trim().replaceAll('♯', '#').replaceAll('♭', 'b');
  if (/^(n|–|-|none)$/i.test(typed)) return 'N';
  const match = /^([A-Ga-g][#b]?)([^/]*)(?:\/([A-Ga-g][#b]?))?$/.exec(typed);
  const quality = match && QUALITIES.get(match[2]!.replace(/\s/g, ''));
  if (!match || !quality) return null;
  const [root, bass] = [match[1]!, match[3] ?? match[1]!].map(
    (name) => name[0]!.toUpperCase() + name.slice(1),
  );
  const degree = DEGREES.at((placeOf(bass!) - placeOf(root!) + UNISON) % DEGREES.length);
  return `${root}:${quality}${degree === '1' ? '' : `/${degree}`}`;
}

/** Harte's quality by what players write after the root. */
const QUALITIES = new Map([
  ['', 'maj'],
  ['maj', 'maj'],
  ['m', 'min'],
  ['min', 'min'],
  ['-', 'min'],
  ['7', '7'],
  ['maj7', 'maj7'],
  ['M7', 'maj7'],
  ['m7', 'min7'],
  ['min7', 'min7'],
  ['dim', 'dim'],
  ['°', 'dim'],
  ['dim7', 'dim7'],
  ['°7', 'dim7'],
  ['m7b5', 'hdim7'],
  ['ø7', 'hdim7'],
  ['aug', 'aug'],
  ['+', 'aug'],
  ['sus2', 'sus2'],
  ['sus4', 'sus4'],
  ['5', '5'],
  ['6', 'maj6'],
  ['m6', 'min6'],
  ['9', '9'],
  ['maj9', 'maj9'],
  ['m9', 'min9'],
  ['mmaj7', 'minmaj7'],
]);
