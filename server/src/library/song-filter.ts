import type { SongFilter, SongSort } from '@earshot/contract';
import { afterPrefix, wordsOf } from './search-words.ts';
import { type TermKind, termOf } from './song.ts';

/** A filter as SQL over `songs s`. Every comparison is one that row security lets use an index. */
export type Conditions = { sql: string; params: unknown[] };

/** What the rules have looked up before: keys by their numbers, a moment as a date. */
export type ResolvedFilter = Omit<
  SongFilter,
  'key' | 'compatible_with' | 'created_after' | 'created_before'
> & {
  keyNumbers: number[] | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
};

const NEAR = 0.04;
const WORDS_MAX = 12;

export function buildConditions(workspaceId: string, filter: ResolvedFilter): Conditions {
  const params: unknown[] = [workspaceId];
  const put = (value: unknown) => `$${params.push(value)}`;
  const conditions: string[] = ['s.workspace_id = $1'];
  const add = (condition: string) => conditions.push(condition);
  const range = (column: string, min: number | undefined, max: number | undefined) => {
    if (min !== undefined) add(`s.${column} >= ${put(min)}::float8`);
    if (max !== undefined) add(`s.${column} <= ${put(max)}::float8`);
  };
  range('bpm', filter.bpm_min, filter.bpm_max);
  range('energy', filter.energy_min, filter.energy_max);
  range('danceability', filter.danceability_min, filter.danceability_max);
  range('valence', filter.valence_min, filter.valence_max);
  range('loudness_lufs', filter.loudness_min, filter.loudness_max);
  range('duration_seconds', filter.duration_min, filter.duration_max);
  if (filter.bpm_near !== undefined) {
    const spans = [1, 0.5, 2].map((level) => {
      const bpm = filter.bpm_near! * level;
      return `(s.bpm >= ${put(bpm * (1 - NEAR))}::float8 and s.bpm <= ${put(bpm * (1 + NEAR))}::float8)`;
    });
    add(`(${spans.join(' or ')})`);
  }
  if (filter.sha256 !== undefined) add(`s.sha256 = ${put(filter.sha256)}`);
  if (filter.keyNumbers !== null) add(`s.key_number = any (${put(filter.keyNumbers)}::int[])`);
  if (filter.voice !== undefined) add(`s.voice = ${put(filter.voice === 'yes')}::boolean`);
  if (filter.createdAfter !== null) add(`s.created_at >= ${put(filter.createdAfter)}::timestamptz`);
  if (filter.createdBefore !== null) add(`s.created_at < ${put(filter.createdBefore)}::timestamptz`);
  const hasTerm = (condition: string) =>
    add(
      `s.analysis_id in (select t.analysis_id from song_terms t where t.workspace_id = $1 and ${condition})`,
    );
  for (const word of wordsOf(filter.q ?? '').slice(0, WORDS_MAX)) {
    const prefix = `w:${word}`;
    hasTerm(`t.term >= ${put(prefix)} and t.term < ${put(afterPrefix(prefix))}`);
  }
  const anyOf = (kind: TermKind, names: readonly string[] | undefined) => {
    if (names) hasTerm(`t.term = any (${put(names.map((name) => termOf(kind, name)))}::text[])`);
  };
  anyOf('genre', filter.genre);
  anyOf('mood', filter.mood);
  for (const name of filter.instrument ?? []) hasTerm(`t.term = ${put(termOf('instrument', name))}`);
  for (const name of filter.tag ?? []) hasTerm(`t.term = ${put(termOf('tag', name))}`);
  if (filter.collection !== undefined) {
    add(
      `s.analysis_id in (select i.analysis_id from collection_items i
        where i.workspace_id = $1 and i.collection_id = ${put(filter.collection)})`,
    );
  }
  if (filter.duplicates === 'hide') add('s.duplicate_of is null');
  if (filter.duplicates === 'only') {
    add(
      `(s.duplicate_of is not null or s.analysis_id in
        (select d.duplicate_of from songs d where d.workspace_id = $1 and d.duplicate_of is not null))`,
    );
  }
  if (filter.status === 'completed') add('s.duration_seconds is not null');
  else if (filter.status !== undefined) {
    add(
      `s.analysis_id in (select a.id from analyses a
        where a.workspace_id = $1 and a.deleted_at is null and a.status = ${put(filter.status)})`,
    );
  }
  return { sql: conditions.join('\n and '), params };
}

/** The column that a sort goes by; every one has an index with the workspace before it and the id after it. */
export const SORT_COLUMNS: Record<SongSort, string> = {
  created_at: 'analysis_id',
  title: 'title_key',
  artist: 'artist_key',
  bpm: 'bpm',
  key: 'key_number',
  energy: 'energy',
  danceability: 'danceability',
  loudness_lufs: 'loudness_lufs',
  duration_seconds: 'duration_seconds',
};
