import { formatClock, formatDifference, formatQuantity } from '../format.ts';
import { mixesWith } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';
import type { Result } from '../result.ts';

export type Comparison = { measure: string; first: string; second: string; difference: string };

/** How a measure is written, and what its differences are measured in where that is something else. */
type Kind = { unit: string; decimals: number; factor?: number; unitBetween?: string };
const PERCENT: Kind = { unit: '%', decimals: 0, factor: 100, unitBetween: 'points' };

/** Each headline number of two songs, and what lies between them in the words of someone who mixes. */
export function compareSongs(first: Result, second: Result): Comparison[] {
  const number = (measure: string, of: (song: Result) => number | null, kind: Kind) => {
    const [one, two] = [of(first), of(second)];
    const { unit, decimals, factor = 1, unitBetween = unit } = kind;
    const show = (value: number | null) =>
      formatQuantity(value === null ? null : factor * value, unit, decimals) ?? '–';
    const shown = (value: number) => Number((factor * value).toFixed(decimals));
    // Of what is shown: whoever reckons it up again gets the same.
    const difference =
      one === null || two === null ? '–' : formatDifference(shown(two) - shown(one), unitBetween, decimals);
    return { measure, first: show(one), second: show(two), difference };
  };
  return [
    {
      ...number('Tempo', ({ bpm }) => bpm, { unit: 'BPM', decimals: 2 }),
      difference: compareTempo(first.bpm, second.bpm),
    },
    {
      measure: 'Key',
      first: showKey(first),
      second: showKey(second),
      difference: compareKeys(first.camelot, second.camelot),
    },
    number('Loudness', ({ loudness_lufs }) => loudness_lufs, {
      unit: 'LUFS',
      decimals: 1,
      unitBetween: 'LU',
    }),
    number('True peak', ({ true_peak_dbtp }) => true_peak_dbtp, {
      unit: 'dBTP',
      decimals: 1,
      unitBetween: 'dB',
    }),
    number('Energy', ({ energy }) => energy, PERCENT),
    number('Danceability', ({ danceability }) => danceability, PERCENT),
    {
      measure: 'Length',
      first: formatClock(first.duration_seconds),
      second: formatClock(second.duration_seconds),
      difference: formatDifference(
        Math.round(second.duration_seconds) - Math.round(first.duration_seconds),
        's',
        0,
      ),
    },
  ];
}

/** What the second may run with: the first itself, or its beats halved or doubled, as drum and bass runs with hip-hop. */
const TEMPO_LEVELS: [factor: number, words: string][] = [
  [1, ''],
  [0.5, ' at half time'],
  [2, ' at double time'],
];

/** By how much the second would have to be played faster or slower to run with the first, at the level where that is least. */
function compareTempo(firstBpm: number | null, secondBpm: number | null): string {
  if (firstBpm === null || secondBpm === null) return '–';
  const changes = TEMPO_LEVELS.map(([factor, words]) => ({ ratio: (factor * firstBpm) / secondBpm, words }));
  const { ratio, words } = changes.reduce((least, change) =>
    Math.abs(Math.log(change.ratio)) < Math.abs(Math.log(least.ratio)) ? change : least,
  );
  const percent = (ratio - 1) * 100;
  return `${formatDifference(secondBpm - firstBpm, 'BPM', 2)}; play the second ${formatDifference(percent, '%', 1)} to match${words}`;
}

function showKey({ key_notation, camelot }: Result): string {
  return key_notation === null ? '–' : `${spellKey(key_notation)} (${camelot})`;
}

function compareKeys(first: string | null, second: string | null): string {
  if (first === null || second === null) return '–';
  if (first === second) return 'the same';
  return mixesWith(first).includes(second) ? 'they mix' : 'they clash';
}
