const SHARPS = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
/** Semitones above C. */
const NATURAL = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** Raises a chord such as "Bbm7" by semitones; the result is written with sharps. */
export function transpose(chord, semitones) {
  const [, letter, accidental, rest] = /^([A-G])([#b]?)(.*)$/.exec(chord);
  if (semitones === 0) return chord;
  const semitonesAboveC =
    NATURAL[letter] + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0) + semitones;
  return `${SHARPS[((semitonesAboveC % 12) + 12) % 12]}${rest}`;
}
