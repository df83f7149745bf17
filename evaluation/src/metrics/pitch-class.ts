const NATURALS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** Semitones above C, for a letter from A to G with any number of sharps and flats. */
export function parsePitchClass(name: string): number {
  let value = NATURALS[name[0]!.toUpperCase()]!;
  for (const accidental of name.slice(1)) value += accidental === '#' ? 1 : -1;
  return ((value % 12) + 12) % 12;
}
