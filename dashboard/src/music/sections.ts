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

/** As many as can be told apart in both themes; chosen by eye. Group A has the second, because its character code is 65 = 8 × 8 + 1. */
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

/** The colour of a group of like sections. Groups are named A to Z, then AA, AB and so on; a correction may use any characters. */
export function groupColour(group: string): string {
  const index = [...group].reduce((sum, character) => sum * 26 + character.charCodeAt(0), 0);
  return GROUP_COLOURS[index % GROUP_COLOURS.length]!;
}
