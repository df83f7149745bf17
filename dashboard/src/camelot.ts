/** The keys that mix with one on the Camelot wheel: the other mode at the same hour, and one hour to either side. */
export function mixesWith(camelot: string): string[] {
  const hour = Number.parseInt(camelot, 10);
  const letter = camelot.at(-1);
  return [
    `${hour}${letter === 'A' ? 'B' : 'A'}`,
    `${(hour % 12) + 1}${letter}`,
    `${((hour + 10) % 12) + 1}${letter}`,
  ];
}

/** One hue an hour, evenly round the circle; the minor side is deeper. Light enough for dark text on all of them. */
export function camelotColour(camelot: string): string {
  const hour = Number.parseInt(camelot, 10) || 1;
  const hue = (170 + (hour - 1) * 30) % 360;
  return camelot.endsWith('A') ? `oklch(0.76 0.115 ${hue})` : `oklch(0.86 0.1 ${hue})`;
}

/** By Camelot number: what a musician calls the key there. */
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
