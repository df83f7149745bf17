/** The service's names of the pitch classes. */
export const PITCH_CLASSES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

/**
 * The service names a key by the pitch class of its tonic. Musicians choose the spelling with the simpler signature: Db major (five flats)
 * rather than C# major (seven sharps), G# minor (five sharps) rather than Ab minor (seven flats). Where both have six, the service's name
 * is kept: F# major, Eb minor.
 */
const USUAL: Record<string, string> = { 'C#': 'Db', Abm: 'G#m' };

/** The usual spelling of a key in the service's notation: "C#" is "Db", "Abm" is "G#m". */
export function spellKey(notation: string): string {
  return USUAL[notation] ?? notation;
}

/** "C#" and "major" are "Db major". */
export function keyName(tonic: string, scale: 'major' | 'minor'): string {
  const spelled = spellKey(scale === 'minor' ? `${tonic}m` : tonic);
  return `${scale === 'minor' ? spelled.slice(0, -1) : spelled} ${scale}`;
}

/** The 24 keys for a correction; the service accepts any spelling. */
export const KEY_NAMES = (['major', 'minor'] as const).flatMap((scale) =>
  PITCH_CLASSES.map((tonic) => keyName(tonic, scale)),
);

/**
 * The line of fifths: C is 0, G is 1, F is -1; a sharp adds seven, a flat subtracts seven. Chords transposed along it keep a spelling that
 * fits their key, which semitones would lose.
 */
const LINE = 'Gb Db Ab Eb Bb F C G D A E B F# C# G# D# A#'.split(' ');
const LINE_START = -6;

export function placeOf(name: string): number {
  return 'FCGDAEB'.indexOf(name[0]!) - 1 + (name[1] === '#' ? 7 : name[1] === 'b' ? -7 : 0);
}

/** Beyond Gb and A#, the enharmonic name within them: B for Cb. */
export function nameAt(place: number): string {
  return LINE[place - LINE_START] ?? LINE[wrap(place - LINE_START)]!;
}

const wrap = (fifths: number) => ((fifths % 12) + 12) % 12;

/**
 * How far to move a song's chords on the line of fifths when they are transposed by `semitones`. The target key is the one with at most six
 * accidentals, in the usual spelling.
 */
export function transposeFifths(notation: string | null, semitones: number): number {
  const key = spellKey(notation ?? 'C');
  const first = placeOf(key.endsWith('m') ? 'Eb' : 'Db');
  const target = first + wrap(placeOf(key) + 7 * semitones - first);
  // The service spells the chords of Eb minor as in D# minor.
  return target - placeOf(key === 'Ebm' ? 'D#' : key);
}
