/** The Camelot wheel (Mixed In Key): twelve hours a fifth apart, minor keys under A and major ones under B. */

/** By Camelot number, as the service names the key there. */
export const CAMELOT_KEYS: Readonly<Record<string, string>> = {
  '1A': 'Abm',
  '2A': 'Ebm',
  '3A': 'Bbm',
  '4A': 'Fm',
  '5A': 'Cm',
  '6A': 'Gm',
  '7A': 'Dm',
  '8A': 'Am',
  '9A': 'Em',
  '10A': 'Bm',
  '11A': 'F#m',
  '12A': 'C#m',
  '1B': 'B',
  '2B': 'F#',
  '3B': 'C#',
  '4B': 'Ab',
  '5B': 'Eb',
  '6B': 'Bb',
  '7B': 'F',
  '8B': 'C',
  '9B': 'G',
  '10B': 'D',
  '11B': 'A',
  '12B': 'E',
};

const NUMBERS = new Map(Object.entries(CAMELOT_KEYS).map(([camelot, notation]) => [notation, camelot]));

/** The Camelot number of a key as the service names it; null for what is no key. */
export function camelotOf(notation: string): string | null {
  return NUMBERS.get(notation) ?? null;
}

/** The keys that mix with one: the other mode at the same hour, and one hour to either side. */
export function mixesWith(camelot: string): string[] {
  const hour = Number.parseInt(camelot, 10);
  const letter = camelot.at(-1);
  return [
    `${hour}${letter === 'A' ? 'B' : 'A'}`,
    `${(hour % 12) + 1}${letter}`,
    `${((hour + 10) % 12) + 1}${letter}`,
  ];
}

/** Where the circle of hues begins: chosen by eye. */
const FIRST_HUE_DEGREES = 170;

/** One hue an hour, evenly round the circle; the minor side is deeper. Light enough for dark text on all of them. */
export function camelotColour(camelot: string): string {
  const hour = Number.parseInt(camelot, 10);
  const hueDegrees = (FIRST_HUE_DEGREES + (hour - 1) * 30) % 360;
  return camelot.endsWith('A') ? `oklch(0.76 0.115 ${hueDegrees})` : `oklch(0.86 0.1 ${hueDegrees})`;
}
