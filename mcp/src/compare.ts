/** How well two songs mix, and how they differ. */

import type { FullResult } from './backend.ts';
import type { Comparison } from './output-schemas.ts';

/** The range of the pitch control of a turntable such as the Technics SL-1200. */
const TEMPO_CHANGE_PERCENT_MAX = 8;

const DESCRIPTORS = ['energy', 'danceability', 'valence', 'acousticness'] as const;

export function compareResults(first: FullResult, second: FullResult): Comparison {
  return {
    tempo: compareTempo(first.bpm, second.bpm),
    key: compareKeys(first.camelot, second.camelot),
    loudness: compareLoudness(first.loudness_lufs, second.loudness_lufs),
    duration_seconds: [first.duration_seconds, second.duration_seconds],
    differences: Object.fromEntries(
      DESCRIPTORS.flatMap((name) => {
        const [a, b] = [first[name], second[name]];
        return a === null || b === null ? [] : [[name, Number((b - a).toFixed(3))]];
      }),
    ),
  };
}

/** How much the second song must change to match the first, at its own, half or double tempo, whichever is nearest. */
function compareTempo(firstBpm: number | null, secondBpm: number | null): Comparison['tempo'] {
  if (firstBpm === null || secondBpm === null) return null;
  const [nearest] = (
    [
      ['same', 1],
      ['half', 2],
      ['double', 0.5],
    ] as const
  )
    .map(([relation, factor]) => ({ relation, percent: (firstBpm / (secondBpm * factor) - 1) * 100 }))
    .sort((a, b) => Math.abs(a.percent) - Math.abs(b.percent));
  const changePercent = Number(nearest!.percent.toFixed(2));
  const mixes = Math.abs(changePercent) <= TEMPO_CHANGE_PERCENT_MAX;
  return {
    bpm: [firstBpm, secondBpm],
    change_percent: changePercent,
    relation: mixes ? nearest!.relation : 'different',
    mixes,
  };
}

/** On the Camelot wheel: 12 hours a fifth apart, minor keys on the inner ring (A), major keys on the outer (B). */
function compareKeys(first: string | null, second: string | null): Comparison['key'] {
  const [a, b] = [parseCamelot(first), parseCamelot(second)];
  if (first === null || second === null || a === null || b === null) return null;
  const hours = Math.min((a.hour - b.hour + 12) % 12, (b.hour - a.hour + 12) % 12);
  const isSameRing = a.ring === b.ring;
  const relation = relate(hours, isSameRing);
  return { camelot: [first, second], mixes: relation !== 'far', relation };
}

function relate(hours: number, isSameRing: boolean): string {
  if (hours === 0) return isSameRing ? 'same key' : 'relative major and minor';
  if (hours === 1 && isSameRing) return 'a fifth apart';
  return 'far';
}

function parseCamelot(text: string | null): { hour: number; ring: string } | null {
  const match = /^(\d{1,2})([AB])$/.exec(text ?? '');
  return match ? { hour: Number(match[1]) % 12, ring: match[2]! } : null;
}

function compareLoudness(firstLufs: number | null, secondLufs: number | null): Comparison['loudness'] {
  if (firstLufs === null || secondLufs === null) return null;
  return { lufs: [firstLufs, secondLufs], gain_db_for_second: Number((firstLufs - secondLufs).toFixed(1)) };
}
