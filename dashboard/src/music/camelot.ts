/** The Camelot wheel (Mixed In Key): twelve hours a fifth apart, A for minor keys and B for major ones. */

const MINOR_KEYS = 'Abm Ebm Bbm Fm Cm Gm Dm Am Em Bm F#m C#m'.split(' ');
const MAJOR_KEYS = 'B F# C# Ab Eb Bb F C G D A E'.split(' ');

/** The key of each Camelot code, spelled as the service spells it. */
export const CAMELOT_KEYS: Readonly<Record<string, string>> = Object.fromEntries([
  ...MINOR_KEYS.map((key, index) => [`${index + 1}A`, key]),
  ...MAJOR_KEYS.map((key, index) => [`${index + 1}B`, key]),
]);

const CODES = new Map(Object.entries(CAMELOT_KEYS).map(([camelot, notation]) => [notation, camelot]));

/** The Camelot code of a key as the service spells it; null for any other text. */
export function camelotOf(notation: string): string | null {
  return CODES.get(notation) ?? null;
}

/** The codes of the keys that mix with one: the other mode at the same hour, and the neighbouring hours in the same mode. */
export function mixesWith(camelot: string): string[] {
  const hour = Number.parseInt(camelot, 10);
  const letter = camelot.at(-1);
  return [
    `${hour}${letter === 'A' ? 'B' : 'A'}`,
    `${(hour % 12) + 1}${letter}`,
    `${((hour + 10) % 12) + 1}${letter}`,
  ];
}

/** The hue of hour 1. Chosen by eye. */
const FIRST_HUE_DEGREES = 170;

/** Twelve hues, evenly spaced; minor keys are darker. Lightness and chroma are chosen by eye: light enough for dark text. */
export function camelotColour(camelot: string): string {
  const hour = Number.parseInt(camelot, 10);
  const hueDegrees = (FIRST_HUE_DEGREES + (hour - 1) * 30) % 360;
  return camelot.endsWith('A') ? `oklch(0.76 0.115 ${hueDegrees})` : `oklch(0.86 0.1 ${hueDegrees})`;
}
