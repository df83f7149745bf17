/** As the service names them. */
export const PITCH_CLASSES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

/**
 * The service names a key by its pitch class. A musician spells a key by its signature: Db major has
 * five flats, C# major seven sharps, so it is Db; of F# and Gb major, six each, the commoner is kept.
 */
const MAJOR: Record<string, string> = { 'C#': 'Db', 'D#': 'Eb', 'G#': 'Ab', 'A#': 'Bb' };
const MINOR: Record<string, string> = { Db: 'C#', 'D#': 'Eb', Gb: 'F#', Ab: 'G#', 'A#': 'Bb' };

/** "C#" is Db (major), "Abm" is G#m: the notation of the summary, spelled by its signature. */
export function spellKey(notation: string): string {
  const minor = notation.endsWith('m');
  const tonic = minor ? notation.slice(0, -1) : notation;
  return minor ? `${MINOR[tonic] ?? tonic}m` : (MAJOR[tonic] ?? tonic);
}

/** "Db major", for a list to choose from. */
export function keyName(tonic: string, scale: 'major' | 'minor'): string {
  const spelled = spellKey(scale === 'minor' ? `${tonic}m` : tonic);
  return `${scale === 'minor' ? spelled.slice(0, -1) : spelled} ${scale}`;
}

/** Every key a correction can name, as a musician spells it; the service takes any spelling. */
export const KEY_NAMES = (['major', 'minor'] as const).flatMap((scale) =>
  PITCH_CLASSES.map((tonic) => keyName(tonic, scale)),
);

/**
 * Note names as places on the line of fifths: F -1, C 0, G 1; a sharp is seven further, a flat seven back. What is moved along it stays
 * spelled as its key is.
 */
const LINE = 'Gb Db Ab Eb Bb F C G D A E B F# C# G# D# A#'.split(' ');
const LINE_START = -6;

export function placeOf(name: string): number {
  return 'FCGDAEB'.indexOf(name[0]!) - 1 + (name[1] === '#' ? 7 : name[1] === 'b' ? -7 : 0);
}

/** Beyond Gb and A#, the plain neighbour: B rather than Cb. */
export function nameAt(place: number): string {
  return LINE[place - LINE_START] ?? LINE[wrap(place - LINE_START)]!;
}

const wrap = (fifths: number) => ((fifths % 12) + 12) % 12;

/** How far the chords of a song move on the line of fifths when they are fingered so many semitones higher. */
export function transposeFifths(notation: string | null, semitones: number): number {
  const key = spellKey(notation ?? 'C');
  const first = placeOf(key.endsWith('m') ? 'Eb' : 'Db');
  const fingered = first + wrap(placeOf(key) + 7 * semitones - first);
  // The service writes the chords of Eb minor as those of D# minor.
  return fingered - placeOf(key === 'Ebm' ? 'D#' : key);
}
