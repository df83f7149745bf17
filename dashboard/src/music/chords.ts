const SHARPS = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const FLATS = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'Gb', 'G', 'Ab', 'A', 'Bb', 'B'];
const NATURALS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

export type ChordSpelling = { semitones: number; flats: boolean };

const AS_WRITTEN: ChordSpelling = { semitones: 0, flats: false };

/** A chord in Harte's syntax as players write it, moved by semitones: "A:min7" up two is "Bm7", "C:maj/3" is "C/E". */
export function showChord(label: string, { semitones, flats }: ChordSpelling = AS_WRITTEN): string {
  const match = /^([A-G])([#b]?)(?::([^/]*))?(?:\/(.+))?$/.exec(label);
  if (!match) return label === 'N' ? '–' : label;
  const [, letter, accidental, quality = 'maj', bass] = match;
  const root = NATURALS[letter!]! + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0) + semitones;
  const name = (pitch: number) => (flats ? FLATS : SHARPS)[((pitch % 12) + 12) % 12];
  const bassPitch = bass === undefined ? null : degreePitch(bass, quality);
  return `${name(root)}${showQuality(quality)}${bassPitch === null ? '' : `/${name(root + bassPitch)}`}`;
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

const DEGREES: Record<string, number> = { '1': 0, '2': 2, '3': 4, '4': 5, '5': 7, '6': 9, '7': 11 };

/** A bass given as a degree of the major scale, with its accidentals, as Harte writes it; null for what is none. */
function degreePitch(degree: string, quality: string): number | null {
  const match = /^([b#]*)([1-7])$/.exec(degree);
  const natural = match && DEGREES[match[2]!];
  if (!match || natural === undefined || natural === null) return null;
  // Older labels write "/3" for the third that the chord has.
  const minorThird = match[2] === '3' && match[1] === '' && /^(min|dim|hdim)/.test(quality) ? -1 : 0;
  return natural + minorThird + [...match[1]!].reduce((sum, sign) => sum + (sign === 'b' ? -1 : 1), 0);
}

/** What a player types ("Bbm7", "C#", "N", "F#°") in Harte's syntax; null when it is no chord. */
export function readChord(text: string): string | null {
  const typed = text.trim();
  if (/^(n|–|-|none)$/i.test(typed)) return 'N';
  const match = /^([A-Ga-g])([#b♯♭]?)(.*)$/.exec(typed);
  const quality = match && QUALITIES[match[3]!.replace(/\s/g, '')];
  if (!match || quality === undefined || quality === null) return null;
  const accidental = match[2]!.replace('♯', '#').replace('♭', 'b');
  return `${match[1]!.toUpperCase()}${accidental}:${quality}`;
}

const QUALITIES: Record<string, string> = {
  '': 'maj',
  maj: 'maj',
  m: 'min',
  min: 'min',
  '-': 'min',
  '7': '7',
  maj7: 'maj7',
  M7: 'maj7',
  m7: 'min7',
  min7: 'min7',
  dim: 'dim',
  '°': 'dim',
  dim7: 'dim7',
  '°7': 'dim7',
  m7b5: 'hdim7',
  ø7: 'hdim7',
  aug: 'aug',
  '+': 'aug',
  sus2: 'sus2',
  sus4: 'sus4',
  '5': '5',
  '6': 'maj6',
  m6: 'min6',
};
