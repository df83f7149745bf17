import { formatClock, formatDifference, formatQuantity } from '../format.ts';
import { mixesWith } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';
import type { Result } from '../result.ts';

export type Comparison = { measure: string; first: string; second: string; difference: string };

/** `scale` multiplies the value for display; `differenceUnit` is for measures whose difference has another unit: LUFS and LU. */
type Format = { unit: string; decimals: number; scale?: number; differenceUnit?: string };
const PERCENT: Format = { unit: '%', decimals: 0, scale: 100, differenceUnit: 'points' };

/** The headline measures of two songs with their differences, worded for a DJ. */
export function compareSongs(first: Result, second: Result): Comparison[] {
  const number = (measure: string, of: (song: Result) => number | null, format: Format) => {
    const [one, two] = [of(first), of(second)];
    const { unit, decimals, scale = 1, differenceUnit = unit } = format;
    const show = (value: number | null) =>
      formatQuantity(value === null ? null : scale * value, unit, decimals) ?? '–';
    const rounded = (value: number) => Number((scale * value).toFixed(decimals));
    // Between the rounded values, so that it agrees with the two numbers beside it.
    const difference =
      one === null || two === null
        ? '–'
        : formatDifference(rounded(two) - rounded(one), differenceUnit, decimals);
    return { measure, first: show(one), second: show(two), difference };
  };
  const tempo = number('Tempo', ({ bpm }) => bpm, { unit: 'BPM', decimals: 2 });
  return [
    { ...tempo, difference: `${tempo.difference}${matchText(first.bpm, second.bpm)}` },
    {
      measure: 'Key',
      first: showKey(first),
      second: showKey(second),
      difference: compareKeys(first.camelot, second.camelot),
    },
    number('Loudness', ({ loudness_lufs }) => loudness_lufs, {
      unit: 'LUFS',
      decimals: 1,
      differenceUnit: 'LU',
    }),
    number('True peak', ({ true_peak_dbtp }) => true_peak_dbtp, {
      unit: 'dBTP',
      decimals: 1,
      differenceUnit: 'dB',
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

/** The second song can be matched to the first's tempo, to half of it or to its double, as drum and bass is mixed with hip-hop. */
const TEMPO_LEVELS: [factor: number, suffix: string][] = [
  [1, ''],
  [0.5, ' at half time'],
  [2, ' at double time'],
];

/** The smallest change of speed, over the tempo levels, that makes the second song match the first; empty where a tempo is unknown. */
function matchText(firstBpm: number | null, secondBpm: number | null): string {
  if (firstBpm === null || secondBpm === null) return '';
  const changes = TEMPO_LEVELS.map(([factor, suffix]) => ({
    ratio: (factor * firstBpm) / secondBpm,
    suffix,
  }));
  const { ratio, suffix } = changes.reduce((least, change) =>
    Math.abs(Math.log(change.ratio)) < Math.abs(Math.log(least.ratio)) ? change : least,
  );
  const percent = (ratio - 1) * 100;
  return `; play the second ${formatDifference(percent, '%', 1)} to match${suffix}`;
}

function showKey({ key_notation, camelot }: Result): string {
  return key_notation === null ? '–' : `${spellKey(key_notation)} (${camelot})`;
}

function compareKeys(first: string | null, second: string | null): string {
  if (first === null || second === null) return '–';
  if (first === second) return 'the same';
  return mixesWith(first).includes(second) ? 'they mix' : 'they clash';
}
