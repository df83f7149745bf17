/** Parses chords in Harte's syntax ("A:min7/b3") and names them as charts and MusicXML do. */

import { fifthsOf, noteAtFifths, pitchClassOf } from './pitch-class.ts';

type ChordLabel = {
  root: string;
  rootPitchClass: number;
  quality: string;
  /** Above the root, ascending. */
  semitones: readonly number[];
  /** The pitch class of the lowest note: that of the root unless the label has a bass. */
  bassPitchClass: number;
  bass: string;
};

type Quality = {
  /** The notes above the root. */
  semitones: readonly number[];
  /** What a chart writes after the root. */
  chart: string;
  /** MusicXML's kind. */
  kind: string;
};

const QUALITIES: Readonly<Record<string, Quality>> = {
  maj: { semitones: [0, 4, 7], chart: '', kind: 'major' },
  min: { semitones: [0, 3, 7], chart: 'm', kind: 'minor' },
  '7': { semitones: [0, 4, 7, 10], chart: '7', kind: 'dominant' },
  maj7: { semitones: [0, 4, 7, 11], chart: 'maj7', kind: 'major-seventh' },
  min7: { semitones: [0, 3, 7, 10], chart: 'm7', kind: 'minor-seventh' },
  minmaj7: { semitones: [0, 3, 7, 11], chart: 'm(maj7)', kind: 'major-minor' },
  dim: { semitones: [0, 3, 6], chart: 'dim', kind: 'diminished' },
  dim7: { semitones: [0, 3, 6, 9], chart: 'dim7', kind: 'diminished-seventh' },
  hdim7: { semitones: [0, 3, 6, 10], chart: 'm7b5', kind: 'half-diminished' },
  sus4: { semitones: [0, 5, 7], chart: 'sus4', kind: 'suspended-fourth' },
  sus2: { semitones: [0, 2, 7], chart: 'sus2', kind: 'suspended-second' },
  aug: { semitones: [0, 4, 8], chart: '+', kind: 'augmented' },
  maj6: { semitones: [0, 4, 7, 9], chart: '6', kind: 'major-sixth' },
  min6: { semitones: [0, 3, 7, 9], chart: 'm6', kind: 'minor-sixth' },
  '9': { semitones: [0, 4, 7, 10, 14], chart: '9', kind: 'dominant-ninth' },
  maj9: { semitones: [0, 4, 7, 11, 14], chart: 'maj9', kind: 'major-ninth' },
  min9: { semitones: [0, 3, 7, 10, 14], chart: 'm9', kind: 'minor-ninth' },
  '5': { semitones: [0, 7], chart: '5', kind: 'power' },
};

/** Harte's quality by the suffix that a chart writes after the root, with its other spellings. */
export const HARTE_OF_CHART: ReadonlyMap<string, string> = new Map([
  ...Object.entries(QUALITIES).map(([name, { chart }]) => [chart, name] as const),
  ...([
    ['M', 'maj'],
    ['-', 'min'],
    ['M7', 'maj7'],
    ['-7', 'min7'],
    ['°', 'dim'],
    ['ø', 'hdim7'],
    ['aug', 'aug'],
  ] as const),
]);

export function isHarteQuality(text: string): boolean {
  return Object.hasOwn(QUALITIES, text);
}

/** Degrees of the major scale, by fifths above the root. */
const MAJOR_SCALE_FIFTHS = [0, 2, 4, -1, 1, 3, 5];
const ACCIDENTAL_FIFTHS = 7;

/** Null for no chord ("N"), an unknown chord ("X"), and a label that is not valid. An unknown quality is read as its triad. */
export function parseChord(label: string): ChordLabel | null {
  const match = /^([A-G][b#]?)(?::([^/()]*)(?:\([^)]*\))?)?(?:\/(b|#)?(\d+))?$/.exec(label);
  const rootPitchClass = match ? pitchClassOf(match[1]!) : null;
  if (!match || rootPitchClass === null) return null;
  const named = match[2] || 'maj';
  const quality = isHarteQuality(named) ? named : named.startsWith('min') ? 'min' : 'maj';
  const degree = match[4] === undefined ? 1 : Number(match[4]);
  const accidental = match[3] === 'b' ? -1 : match[3] === '#' ? 1 : 0;
  const bassFifths = MAJOR_SCALE_FIFTHS[(degree + 6) % 7]! + ACCIDENTAL_FIFTHS * accidental;
  const bass = bassFifths === 0 ? match[1]! : noteAtFifths(fifthsOf(match[1]!) + bassFifths);
  return {
    root: match[1]!,
    rootPitchClass,
    quality,
    semitones: QUALITIES[quality]!.semitones,
    bassPitchClass: pitchClassOf(bass)!,
    bass,
  };
}

/** The name on a chart: "Am7" for "A:min7", and "Am7/C" with a bass. */
export function chartName(label: string): string {
  const chord = parseChord(label);
  if (chord === null) return 'N.C.';
  const { chart } = QUALITIES[chord.quality]!;
  const bass = chord.bassPitchClass === chord.rootPitchClass ? '' : `/${chord.bass}`;
  return `${chord.root}${chart}${bass}`;
}

export function musicXmlKind({ quality }: ChordLabel): string {
  return QUALITIES[quality]!.kind;
}
