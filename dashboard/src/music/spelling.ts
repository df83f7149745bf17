/**
 * The service names pitch classes by a fixed list (C, C#, D, Eb, …). A musician spells a key by its signature: Db major has
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

/** Signatures that are written with flats, by key as `spellKey` gives it. */
const FLAT_KEYS = new Set(['F', 'Bb', 'Eb', 'Ab', 'Db', 'Dm', 'Gm', 'Cm', 'Fm', 'Bbm', 'Ebm']);

export function usesFlats(notation: string | null): boolean {
  return notation !== null && FLAT_KEYS.has(spellKey(notation));
}
