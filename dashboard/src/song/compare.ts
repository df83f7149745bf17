import { mixesWith } from '../camelot.ts';
import { formatClock, formatNumber } from '../format.ts';
import { spellKey } from '../music/spelling.ts';
import type { Result } from '../result.ts';

export type Comparison = { measure: string; first: string; second: string; difference: string };

/** How a measure is written, and what its differences are measured in where that is something else. */
type Kind = { unit: string; digits: number; factor?: number; unitBetween?: string };
const PERCENT: Kind = { unit: '%', digits: 0, factor: 100, unitBetween: 'points' };

/** Each headline number of two songs, and what lies between them in the words of someone who mixes. */
export function compareSongs(first: Result, second: Result): Comparison[] {
  const number = (measure: string, of: (song: Result) => number | null, kind: Kind) => {
    const [one, two] = [of(first), of(second)];
    const { unit, digits, factor = 1, unitBetween = unit } = kind;
    const show = (value: number | null) =>
      value === null ? '–' : `${formatNumber(factor * value, digits)} ${unit}`;
    const shown = (value: number) => Number((factor * value).toFixed(digits));
    // Of what is shown: whoever reckons it up again gets the same.
    const difference =
      one === null || two === null ? '–' : signed(shown(two) - shown(one), digits, unitBetween);
    return { measure, first: show(one), second: show(two), difference };
  };
  return [
    {
      ...number('Tempo', ({ bpm }) => bpm, { unit: 'BPM', digits: 2 }),
      difference: compareTempo(first.bpm, second.bpm),
    },
    {
      measure: 'Key',
      first: showKey(first),
      second: showKey(second),
      difference: compareKeys(first.camelot, second.camelot),
    },
    number('Loudness', ({ loudness_lufs }) => loudness_lufs, { unit: 'LUFS', digits: 1, unitBetween: 'LU' }),
    number('True peak', ({ true_peak_dbtp }) => true_peak_dbtp, {
      unit: 'dBTP',
      digits: 1,
      unitBetween: 'dB',
    }),
    number('Energy', ({ energy }) => energy, PERCENT),
    number('Danceability', ({ danceability }) => danceability, PERCENT),
    {
      measure: 'Length',
      first: formatClock(first.duration_seconds),
      second: formatClock(second.duration_seconds),
      difference: signed(Math.round(second.duration_seconds) - Math.round(first.duration_seconds), 0, 's'),
    },
  ];
}

function signed(value: number, digits: number, unit: string): string {
  const text = Math.abs(value).toFixed(digits);
  const sign = Number(text) === 0 ? '±' : value > 0 ? '+' : '−';
  return `${sign}${text} ${unit}`.trim();
}

/** By how much the second would have to be played faster or slower to run with the first. */
function compareTempo(first: number | null, second: number | null): string {
  if (first === null || second === null) return '–';
  const percent = (first / second - 1) * 100;
  return `${signed(second - first, 2, 'BPM')}; play the second ${signed(percent, 1, '%')} to match`;
}

function showKey({ key_notation, camelot }: Result): string {
  return key_notation === null ? '–' : `${spellKey(key_notation)} (${camelot})`;
}

function compareKeys(first: string | null, second: string | null): string {
  if (first === null || second === null) return '–';
  if (first === second) return 'the same';
  return mixesWith(first).includes(second) ? 'they mix' : 'they clash';
}
