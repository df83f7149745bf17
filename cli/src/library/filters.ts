/** Which songs: the options of every command that looks for some. */

import type { SongSearch } from '@earshot/sdk';

const text = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;

export const FILTERS = {
  'bpm-min': text,
  'bpm-max': text,
  'bpm-near': text,
  'energy-min': text,
  'energy-max': text,
  'duration-min': text,
  'duration-max': text,
  'danceability-min': text,
  'danceability-max': text,
  'valence-min': text,
  'valence-max': text,
  'loudness-min': text,
  'loudness-max': text,
  'created-after': text,
  'created-before': text,
  status: text,
  'compatible-with': text,
  key: many,
  genre: many,
  mood: many,
  instrument: many,
  tag: many,
  voice: text,
  collection: text,
  duplicates: text,
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
