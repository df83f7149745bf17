import type { RequestOutput } from '@earshot/sdk';

type Answer = RequestOutput<'getAnalysisResult'>;
export type Result = NonNullable<Answer['result']>;

const GROUP_COLOURS = [
  '#4f6bed',
  '#d9730d',
  '#2b8a4b',
  '#a34fc0',
  '#a68a00',
  '#0b7f8c',
  '#c03c68',
  '#6c8f1a',
];

/** The same letter, the same colour. */
export function groupColour(group: string): string {
  const index = group.charCodeAt(0) - 'A'.charCodeAt(0);
  return GROUP_COLOURS[((index % GROUP_COLOURS.length) + GROUP_COLOURS.length) % GROUP_COLOURS.length]!;
}

export const SECTION_LABELS = [
  'intro',
  'verse',
  'pre-chorus',
  'chorus',
  'bridge',
  'instrumental',
  'break',
  'outro',
] as const satisfies NonNullable<Result['structure']>['sections'][number]['label'][];

/** Every key a correction can name, as a musician spells it; the service takes any spelling. */
export const KEYS = [
  ...['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'].map((tonic) => `${tonic} major`),
  ...['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'].map((tonic) => `${tonic} minor`),
];

type Chord = NonNullable<Result['tonal']>['chords'][number];

/**
 * Triads, but where a person has said the chord, all of it: the list of triads has only what is underneath. What is said is
 * sure in both lists.
 */
export function shownChords({ tonal }: Result): Chord[] {
  if (!tonal) return [];
  const isSure = ({ confidence }: Chord) => confidence === 1;
  const said = new Map(tonal.chords_sevenths.filter(isSure).map((chord) => [chord.start_seconds, chord]));
  return tonal.chords.map((chord) => (isSure(chord) && said.get(chord.start_seconds)) || chord);
}

/** The last item that has begun at `seconds`. */
export function itemAt<T>(items: readonly T[], seconds: number, start: (item: T) => number): T | null {
  return items[indexAt(items, seconds, start)] ?? null;
}

/** Its place, -1 before the first; by binary search, because it is asked on every frame. */
export function indexAt<T>(items: readonly T[], seconds: number, start: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start(items[middle]!) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
