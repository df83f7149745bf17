/** Semitones above C of every spelling a key may come in. */
const SEMITONES: Record<string, number> = {
  C: 0,
  'B#': 0,
  'C#': 1,
  Db: 1,
  D: 2,
  'D#': 3,
  Eb: 3,
  E: 4,
  Fb: 4,
  'E#': 5,
  F: 5,
  'F#': 6,
  Gb: 6,
  G: 7,
  'G#': 8,
  Ab: 8,
  A: 9,
  'A#': 10,
  Bb: 10,
  B: 11,
  Cb: 11,
};

export type Mode = 'major' | 'minor';

/** The number 0..11 from C of a tonic, or null when it is no note name. */
export function pitchClassOf(tonic: string): number | null {
  return SEMITONES[tonic] ?? null;
}

/** Reads a key as "A", "Am", "A minor" or "A:min". */
export function parseKey(text: string): { pitchClass: number; mode: Mode } | null {
  const match = /^([A-G][b#]?)(m| minor|:min)?/.exec(text);
  const pitchClass = match?.[1] === undefined ? null : pitchClassOf(match[1]);
  if (pitchClass === null) return null;
  return { pitchClass, mode: match?.[2] === undefined ? 'major' : 'minor' };
}

/** Sharps (positive) or flats (negative) of a key's signature, the fewer of the two spellings. */
export function signatureOf(pitchClass: number, mode: Mode): number {
  const relativeMajor = mode === 'minor' ? (pitchClass + 3) % 12 : pitchClass;
  const sharps = (relativeMajor * 7) % 12;
  return sharps > 6 ? sharps - 12 : sharps;
}
