const SHARPS = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const FLATS = ['C', 'Db', 'D', 'Eb', 'E', 'F', 'Gb', 'G', 'Ab', 'A', 'Bb', 'B'];
const NATURALS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** A chord in Harte's syntax as players write it, moved by semitones: "A:min7" up two is "Bm7". */
export function showChord(label: string, semitones: number): string {
  const match = /^([A-G])([#b]?)(?::([^/]*))?/.exec(label);
  if (!match) return label === 'N' ? '–' : label;
  const [, letter, accidental, quality = 'maj'] = match;
  const pitch = NATURALS[letter!]! + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0) + semitones;
  const names = accidental === 'b' ? FLATS : SHARPS;
  const suffix = quality
    .replace(/^maj$/, '')
    .replace(/^min/, 'm')
    .replace('hdim7', 'ø7')
    .replace('dim', '°')
    .replace('aug', '+');
  return `${names[((pitch % 12) + 12) % 12]}${suffix}`;
}
