import type { SongFilter, SongSort } from '@earshot/contract';
import { TEMPO_LEVELS } from './mixing.ts';
import { afterPrefix, wordsOf } from './search-words.ts';
import { isPrefix, type TermKind, termOf } from './song.ts';

/**
 * A filter as SQL. Each condition has two forms: one that finds its songs through an index, and one that tests a single row `s`, for
 * walks along the index of a sort order. Row security lets only leakproof operators use an index, so the first form has no others.
 */
export type Conditions = { params: unknown[]; songs: SongCondition[]; terms: TermCondition[] };

/** `sets` are disjoint, most with an index. `ids`, where present, is one query for the ids of all sets. */
type SongCondition = { sets: string[]; row: string; ids?: string };
/** `sets` select from `song_terms t`; a song matches by any of them. `once`: they list no song twice. */
type TermCondition = { sets: string[]; row: string; once: boolean };

/** A filter whose keys have been resolved to their numbers. */
export type ResolvedFilter = Omit<
  SongFilter,
  'key' | 'compatible_with' | 'created_after' | 'created_before'
> & {
  keyNumbers: number[] | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
};

/** The contract promises ±4 % for `bpm_near`. */
const NEAR_RATIO = 0.04;
/** Each indexed word costs reading its list; twelve are more than most titles have, and narrow the search enough. */
const INDEXED_WORDS_MAX = 12;

/** `hasPrefixes`: every song of the workspace has its words' prefixes among its terms. */
export function buildConditions(
  workspaceId: string,
  filter: ResolvedFilter,
  hasPrefixes: boolean,
): Conditions {
  const conditions: Conditions = { params: [workspaceId], songs: [], terms: [] };
  addColumns(conditions, filter);
  addTerms(conditions, filter, hasPrefixes);
  addRelations(conditions, filter);
  return conditions;
}

type Put = (value: unknown) => string;

const putInto =
  ({ params }: Conditions): Put =>
  (value) =>
    `$${params.push(value)}`;

const ofRow = (set: string): SongCondition => ({ sets: [set], row: set });

/** Conditions on the columns of the song. */
function addColumns(conditions: Conditions, filter: ResolvedFilter): void {
  const put = putInto(conditions);
  const add = (set: string) => conditions.songs.push(ofRow(set));
  const range = (name: string, min: number | undefined, max: number | undefined) => {
    const bounds = [
      ...(min === undefined ? [] : [`s.${name} >= ${put(min)}::float8`]),
      ...(max === undefined ? [] : [`s.${name} <= ${put(max)}::float8`]),
    ];
    if (bounds.length > 0) add(bounds.join(' and '));
  };
  range('bpm', filter.bpm_min, filter.bpm_max);
  range('energy', filter.energy_min, filter.energy_max);
  range('danceability', filter.danceability_min, filter.danceability_max);
  range('valence', filter.valence_min, filter.valence_max);
  range('loudness_lufs', filter.loudness_min, filter.loudness_max);
  range('duration_seconds', filter.duration_min, filter.duration_max);
  if (filter.bpm_near !== undefined) {
    const spans = TEMPO_LEVELS.map((level) => {
      const bpm = filter.bpm_near! * level;
      return `(s.bpm >= ${put(bpm * (1 - NEAR_RATIO))}::float8 and s.bpm <= ${put(bpm * (1 + NEAR_RATIO))}::float8)`;
    });
    conditions.songs.push({ sets: spans, row: `(${spans.join(' or ')})` });
  }
  if (filter.sha256 !== undefined) add(`s.sha256 = ${put(filter.sha256)}`);
  if (filter.keyNumbers !== null) add(`s.key_number = any (${put(filter.keyNumbers)}::int[])`);
  if (filter.voice !== undefined) add(`s.voice = ${put(filter.voice === 'yes')}::boolean`);
  if (filter.createdAfter !== null) add(`s.created_at >= ${put(filter.createdAfter)}::timestamptz`);
  if (filter.createdBefore !== null) add(`s.created_at < ${put(filter.createdBefore)}::timestamptz`);
}

/** Conditions on the terms of the song. */
function addTerms(conditions: Conditions, filter: ResolvedFilter, hasPrefixes: boolean): void {
  const put = putInto(conditions);
  const { songs, terms } = conditions;
  const addAnyOf = (wanted: readonly string[]) =>
    terms.push({
      // One equality each: every list is then in the order of ids, and several are merged as they are read.
      sets: wanted.map((term) => `t.term = ${put(term)}`),
      row: `s.terms && ${put(wanted)}::text[]`,
      once: true,
    });
  const words = wordsOf(filter.q ?? '');
  for (const word of words) {
    if (hasPrefixes && isPrefix(word)) {
      addAnyOf([`p:${word}`]);
      continue;
    }
    const [from, to] = [put(`w:${word}`), put(afterPrefix(`w:${word}`))];
    terms.push({
      sets: [`t.term >= ${from} and t.term < ${to}`],
      row: `exists (select 1 from unnest(s.terms) as own (term)
        where own.term collate "C" >= ${from} and own.term collate "C" < ${to})`,
      once: false,
    });
  }
  // Songs that match the first words are tested for the rest.
  songs.push(...terms.splice(INDEXED_WORDS_MAX).map(({ row }) => ofRow(row)));
  // A query of punctuation alone matches nothing: if it matched everything, a bulk delete by it would erase the library.
  if (words.length === 0 && (filter.q ?? '').trim() !== '') songs.push(ofRow('false'));
  const anyOf = (kind: TermKind, names: readonly string[] | undefined) => {
    if (names !== undefined) addAnyOf([...new Set(names.map((name) => termOf(kind, name)))]);
  };
  anyOf('genre', filter.genre);
  anyOf('mood', filter.mood);
  for (const name of filter.instrument ?? []) anyOf('instrument', [name]);
  for (const name of filter.tag ?? []) anyOf('tag', [name]);
}

/** Conditions on other rows: collections, copies, the analysis. */
function addRelations(conditions: Conditions, filter: ResolvedFilter): void {
  const put = putInto(conditions);
  const { songs } = conditions;
  if (filter.collection !== undefined) {
    const items = `from collection_items i where i.workspace_id = $1 and i.collection_id = ${put(filter.collection)}`;
    const row = exists(`${items} and i.analysis_id = s.analysis_id`);
    songs.push({ sets: [`s.analysis_id in (select i.analysis_id ${items})`], row });
  }
  if (filter.duplicates === 'hide') songs.push(ofRow('s.duplicate_of is null'));
  if (filter.duplicates === 'only') {
    const copies = 'from songs d where d.workspace_id = $1 and d.duplicate_of is not null';
    const ids = `select d.analysis_id ${copies} union select d.duplicate_of ${copies}`;
    const row = `(s.duplicate_of is not null or ${exists(`${copies} and d.duplicate_of = s.analysis_id`)})`;
    songs.push({ sets: [`s.analysis_id in (${ids})`], row, ids });
  }
  if (filter.status === 'completed') songs.push(ofRow('s.duration_seconds is not null'));
  else if (filter.status !== undefined) {
    const analyses = `from analyses a where a.workspace_id = $1 and a.deleted_at is null and a.status = ${put(filter.status)}`;
    const row = exists(`${analyses} and a.id = s.analysis_id`);
    songs.push({ sets: [`s.analysis_id in (select a.id ${analyses})`], row });
  }
}

/** `offset 0` keeps the planner from turning the test of each row into a join. */
function exists(from: string): string {
  return `exists (select 1 ${from} offset 0)`;
}

/** Each column has an index on workspace, column and id. */
export const SORT_COLUMNS: Record<SongSort, string> = {
  created_at: 'created_at',
  title: 'title_key',
  artist: 'artist_key',
  bpm: 'bpm',
  key: 'key_number',
  energy: 'energy',
  danceability: 'danceability',
  loudness_lufs: 'loudness_lufs',
  duration_seconds: 'duration_seconds',
};
