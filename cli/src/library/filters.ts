/** Which songs: the options of every command that looks for some. */

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
/** Of many songs at once, where `tag` is what is done to them. */
export const BULK_FILTERS = { ...otherFilters, 'with-tag': tag } as const;

/** The service says which values it cannot use. */
export function readFilter(values: Record<string, unknown>, words: readonly string[]): SongSearch {
  const asked = Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), value]);
  return { ...Object.fromEntries(asked), ...(words.length > 0 && { q: words.join(' ') }) };
}

/** `--sort -bpm`, `--loudness-min -8` and `--shift-beats -1` as one word each: their minus does not begin another option. */
export function joinMinus(args: readonly string[]): string[] {
  const joined = (index: number) =>
    (args[index] === '--sort' && /^-[a-z]/.test(args[index + 1] ?? '')) ||
    (/^--([a-z-]+-(min|max)|shift-beats)$/.test(args[index] ?? '') && /^-[\d.]/.test(args[index + 1] ?? ''));
  return args.flatMap((arg, index) =>
    joined(index) ? [`${arg}=${args[index + 1]}`] : joined(index - 1) ? [] : [arg],
  );
}
