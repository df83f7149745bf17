/** The filter options of all commands that search for songs. */

import type { SongSearch } from '@earshot/sdk';
import { TEXT, TEXTS } from '../read-args.ts';

export const FILTERS = {
  'bpm-min': TEXT,
  'bpm-max': TEXT,
  'bpm-near': TEXT,
  'energy-min': TEXT,
  'energy-max': TEXT,
  'duration-min': TEXT,
  'duration-max': TEXT,
  'danceability-min': TEXT,
  'danceability-max': TEXT,
  'valence-min': TEXT,
  'valence-max': TEXT,
  'loudness-min': TEXT,
  'loudness-max': TEXT,
  'created-after': TEXT,
  'created-before': TEXT,
  status: TEXT,
  'compatible-with': TEXT,
  key: TEXTS,
  genre: TEXTS,
  mood: TEXTS,
  instrument: TEXTS,
  tag: TEXTS,
  voice: TEXT,
  collection: TEXT,
  duplicates: TEXT,
} as const;

const { tag, ...otherFilters } = FILTERS;
/** For `earshot bulk`, where `tag` is an action: there the filter is --with-tag. */
export const BULK_FILTERS = { ...otherFilters, 'with-tag': tag } as const;

/** Values are checked by the service. */
export function readFilter(values: Record<string, unknown>, words: readonly string[]): SongSearch {
  const filters = Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), value]);
  return { ...Object.fromEntries(filters), ...(words.length > 0 && { q: words.join(' ') }) };
}

/** Joins `--sort -bpm`, `--loudness-min -8` and `--shift-beats -1` with an `=`, because parseArgs takes their values for options. */
export function joinMinus(args: readonly string[]): string[] {
  const takesNext = (index: number) =>
    (args[index] === '--sort' && /^-[a-z]/.test(args[index + 1] ?? '')) ||
    (/^--([a-z-]+-(min|max)|shift-beats)$/.test(args[index] ?? '') && /^-[\d.]/.test(args[index + 1] ?? ''));
  return args.flatMap((arg, index) =>
    takesNext(index) ? [`${arg}=${args[index + 1]}`] : takesNext(index - 1) ? [] : [arg],
  );
}
