import type { RequestOutput } from '@earshot/sdk';

type Answer = RequestOutput<'getAnalysisResult'>;
export type Result = NonNullable<Answer['result']>;

const GROUP_COLOURS = [
  '#2563eb',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#a68a00',
  '#0b7285',
  '#a61e4d',
  '#5c940d',
];

/** The same letter, the same colour, as in the report. */
export function groupColour(group: string): string {
  const index = group.charCodeAt(0) - 'A'.charCodeAt(0);
  return GROUP_COLOURS[((index % GROUP_COLOURS.length) + GROUP_COLOURS.length) % GROUP_COLOURS.length]!;
}

/** Every key there is, spelt as the service spells it. */
const KEYS = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'].flatMap((tonic) => [
  `${tonic} major`,
  `${tonic} minor`,
]);

/** Those a person can choose from; a kept one in another spelling ("Db major") is among them, or saving again would drop it. */
export function keyChoices(kept: string | null): string[] {
  return kept === null || KEYS.includes(kept) ? KEYS : [...KEYS, kept];
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
