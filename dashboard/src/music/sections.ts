import type { Result } from '../result.ts';

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

/** As many as can be told apart beside each other in both themes: chosen by eye. A has the second: its code is 65. */
const GROUP_COLOURS = [
  '#6c8f1a',
  '#4f6bed',
  '#d9730d',
  '#2b8a4b',
  '#a34fc0',
  '#a68a00',
  '#0b7f8c',
  '#c03c68',
];

/** The same group, the same colour. A group is named A to Z, then AA, AB, …; a correction may name it by any sign. */
export function groupColour(group: string): string {
  const index = [...group].reduce((sum, sign) => sum * 26 + sign.charCodeAt(0), 0);
  return GROUP_COLOURS[index % GROUP_COLOURS.length]!;
}
