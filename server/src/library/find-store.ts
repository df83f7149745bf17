import type { Analysis } from '../analyses/analysis.ts';
import { type AnalysisRow, fromRow, rowWhere } from '../analyses/analysis-row.ts';
import type { Database, Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { Position } from './cursor.ts';
import type { Conditions } from './song-filter.ts';

/**
 * Searches a library of a hundred thousand songs within 50 ms (docs/benchmarks.md). PostgreSQL's planner cannot do this unaided: under
 * row security it assumes that every workspace has the average size. So matches are counted from the indexes first, only as far as the count
 * matters, and the statements are written so that one plan remains:
 *
 * - few songs match: they are gathered through the indexes of the conditions, then sorted;
 * - many match: the index of the sort order is walked and every row is tested, until the page is full.
 */

/** `analysis` is absent where the statement does not read it, and null if it was deleted in the meantime. */
export type FoundSong = { id: string; value: string | number | null; analysis?: Analysis | null };

export type SongPage = {
  column: string;
  descending: boolean;
  /** Null for the first page. */
  after: Position | null;
  limit: number;
};

/** Matches beyond this are not counted: the contract reports them as "at least" this many. */
export const TOTAL_MAX = 10_000;
/**
 * Up to this many matches are gathered and sorted. To fill a page of 50, a walk reads about 50 × library size / matches rows: in a
 * library of 180,000 songs with this many matches, both read the same number.
 */
const GATHERED_MAX = 3_000;
/** Up to this many rows are tested for their terms one by one; more are compared as two lists. An estimate: three times GATHERED_MAX. */
const TESTED_MAX = 9_000;

/** A page of all songs by creation time, the view that opens the library: songs, analyses and total in one round trip. */
export async function browseSongs(
  db: Pick<Database, 'batch'>,
  workspaceId: string,
  { descending, after, limit }: SongPage,
): Promise<{ found: FoundSong[]; total: number }> {
  const order = descending ? NEWEST_FIRST : OLDEST_FIRST;
  const [, rows] = await db.batch([
    [`select ${IN_ORDER}`, []],
    after === null
      ? [order.first, [workspaceId, limit]]
      : [order.next, [workspaceId, limit, after.value, after.id]],
  ]);
  const [{ page, total }] = rows as [{ page: (FoundSong & { row: AnalysisRow | null })[]; total: number }];
  return { found: page.map(({ id, value, row }) => ({ id, value, analysis: row && fromRow(row) })), total };
}

/** Counted each time (about 10 ms for 100,000 songs): the row of a stored counter would make concurrent uploads wait for each other. */
const ALL_SONGS = 'select 1 from songs s where s.workspace_id = $1 and s.shelf_version >= 0';

const browseStatement = (direction: 'asc' | 'desc', from: string) =>
  prepared(`select (${countOf(ALL_SONGS)}) as total, coalesce(json_agg(page), '[]') as page from (
    select listed.analysis_id as id, listed.created_at::text as value,
      (${rowWhere('a.id = listed.analysis_id and a.workspace_id = $1 and a.deleted_at is null')}) as row
    from songs listed where listed.workspace_id = $1 ${from}
    order by listed.created_at ${direction}, listed.analysis_id ${direction} limit $2) as page`);
const NEWEST_FIRST = {
  first: browseStatement('desc', ''),
  next: browseStatement('desc', 'and (listed.created_at, listed.analysis_id) < ($3::timestamptz, $4)'),
};
const OLDEST_FIRST = {
  first: browseStatement('asc', ''),
  next: browseStatement('asc', 'and (listed.created_at, listed.analysis_id) > ($3::timestamptz, $4)'),
};

/** A page of matching songs and their number, at most TOTAL_MAX + 1. Songs without a value in the sort column come last. */
export async function searchSongs(
  tx: Transaction,
  conditions: Conditions,
  page: SongPage,
): Promise<{ found: FoundSong[]; total: number }> {
  const { songs, terms } = conditions;
  if (songs.length === 0 && terms.length === 0) {
    const total = await count(tx, conditions, ALL_SONGS);
    return { found: await walk(tx, conditions, page), total };
  }
  const few = await gather(tx, conditions, page);
  if (few.found) return { found: few.found, total: few.total };
  const total = few.isTotal
    ? few.total
    : await count(tx, conditions, `${await manyMatches(tx, conditions)} limit ${TOTAL_MAX + 1}`);
  return { found: await walk(tx, conditions, page), total };
}

/**
 * In one statement: candidates from the most selective index, their number and, if they are few, the page. `found` is null if they are
 * many; `total` is then the number of candidates, and of matches only if `isTotal`. `offset 0` forces a lookup per candidate, where the
 * planner would otherwise join with the whole library.
 */
async function gather(
  db: Queryable,
  conditions: Conditions,
  { column, descending, after, limit }: SongPage,
): Promise<{ found: FoundSong[] | null; total: number; isTotal: boolean }> {
  const params = [...conditions.params];
  const put = (value: unknown) => `$${params.push(value)}`;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const byTerms = conditions.terms.length > 0;
  // Lists of terms are merged. The planner expects them to be short and would look up each entry of one in the others.
  if (conditions.terms.length > 1) await db.query(`select set_config('enable_nestloop', 'off', true)`);
  // With conditions on terms alone, one of which occurs at most once per song, the list has every match once: its length is the total.
  const isTotal = !byTerms || (conditions.songs.length === 0 && conditions.terms.some(({ once }) => once));
  const listedMax = isTotal ? TOTAL_MAX : GATHERED_MAX;
  // Deduplicated after the limit: before it, every word with the prefix would have to be read.
  const candidates = byTerms
    ? 'select distinct analysis_id from repeated'
    : `${idsBySongs(conditions)} limit ${listedMax + 1}`;
  const repeated = byTerms
    ? `repeated as materialized (${idsByTerms(conditions, 'repeated')} limit ${listedMax + 1}),`
    : '';
  const rest = byTerms ? conditions.songs.map(({ row }) => `and ${row}`).join('\n') : '';
  const from =
    after === null
      ? ''
      : after.value === null
        ? `where sorted is null and id ${beyond} ${put(after.id)}`
        : `where (sorted, id) ${beyond} (${put(after.value)}, ${put(after.id)}) or sorted is null`;
  const rows = await queryNumbered<{
    candidates: number;
    total: number;
    id: string | null;
    value: FoundSong['value'];
  }>(
    db,
    `with ${repeated} candidates as materialized (${candidates}),
     counted as materialized (select count(*) as count from ${byTerms ? 'repeated' : 'candidates'}),
     matching as materialized (
       select s.analysis_id as id, s.${column} as sorted, ${cursorValue(column)} as value
       from candidates c cross join lateral (
         select * from songs s where s.analysis_id = c.analysis_id and s.workspace_id = $1 ${rest} offset 0) s
       where (select count from counted) <= ${GATHERED_MAX}),
     page as (
       select id, sorted, value from matching ${from} order by sorted ${direction} nulls last, id ${direction} limit ${put(limit)})
     select counted.count as candidates, (select count(*) from matching) as total, page.id, page.value
     from counted left join page on true order by page.sorted ${direction} nulls last, page.id ${direction}`,
    params,
  );
  const { candidates: size, total } = rows[0]!;
  if (size > GATHERED_MAX) return { found: null, total: size, isTotal };
  return {
    found: rows.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }])),
    total,
    isTotal: true,
  };
}

/** Selects the ids of many matches: by terms alone, by testing the terms of each candidate song, or by intersecting two lists. */
async function manyMatches(db: Queryable, conditions: Conditions): Promise<string> {
  const byTerms = idsByTerms(conditions);
  if (conditions.songs.length === 0) return byTerms;
  const bySongs = idsBySongs(conditions);
  // With conditions on two columns, the planner would scan the songs of all workspaces.
  await db.query(`select set_config('enable_seqscan', 'off', true)`);
  if ((await count(db, conditions, `${bySongs} limit ${TESTED_MAX + 1}`)) <= TESTED_MAX) {
    return idsBySongs(
      conditions,
      conditions.terms.map(({ row }) => row),
    );
  }
  // One list is hashed and the other probes it until the limit; the planner, expecting short lists, would nest loops.
  await db.query(`select set_config('enable_nestloop', 'off', true)`);
  return `select analysis_id from (${byTerms}) listed where analysis_id in (${bySongs})`;
}

/** Makes the planner read rows in index order for the rest of the transaction, wherever an index offers that order. */
const IN_ORDER = ['enable_sort', 'enable_incremental_sort', 'enable_seqscan', 'enable_bitmapscan']
  .map((setting) => `set_config('${setting}', 'off', true)`)
  .join(', ');

/** Walks the index of the sort order: first songs with a value, then those without. */
async function walk(tx: Transaction, conditions: Conditions, page: SongPage): Promise<FoundSong[]> {
  await tx.query(`select ${IN_ORDER}`);
  const { after, limit } = page;
  const valued = after?.value === null ? [] : await walkPart(tx, conditions, page, true);
  if (valued.length >= limit) return valued;
  const rest = { ...page, after: after?.value === null ? after : null, limit: limit - valued.length };
  return [...valued, ...(await walkPart(tx, conditions, rest, false))];
}

function walkPart(
  db: Queryable,
  conditions: Conditions,
  { column, descending, after, limit }: SongPage,
  withValue: boolean,
): Promise<FoundSong[]> {
  const params = [...conditions.params];
  const put = (value: unknown) => `$${params.push(value)}`;
  const [direction, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const from =
    after === null
      ? ''
      : withValue
        ? `and (s.${column}, s.analysis_id) ${beyond} (${put(after.value)}, ${put(after.id)})`
        : `and s.analysis_id ${beyond} ${put(after.id)}`;
  const rows = [...conditions.songs, ...conditions.terms].map(({ row }) => `and ${row}`).join('\n');
  return queryNumbered<FoundSong>(
    db,
    `select s.analysis_id as id, ${cursorValue(column)} as value from songs s
     where s.workspace_id = $1 and s.${column} is ${withValue ? 'not null' : 'null'} ${from} ${rows}
     order by s.${column} ${direction}, s.analysis_id ${direction} limit ${put(limit)}`,
    params,
  );
}

/** At most `limit` matches, in no particular order. */
export async function listSongIds(db: Queryable, conditions: Conditions, limit: number): Promise<string[]> {
  const byTerms = conditions.terms.length === 0 ? [] : [`s.analysis_id in (${idsByTerms(conditions)})`];
  const rows = await queryNumbered<{ analysis_id: string }>(
    db,
    `${idsBySongs(conditions, byTerms)} limit ${limit}`,
    conditions.params,
  );
  return rows.map((row) => row.analysis_id);
}

/** Times are cast to text: a JavaScript date would lose their microseconds. */
function cursorValue(column: string): string {
  return column === 'created_at' ? 's.created_at::text' : `s.${column}`;
}

function idsBySongs({ songs }: Conditions, more: readonly string[] = []): string {
  const [only] = songs;
  if (only?.ids !== undefined && songs.length === 1 && more.length === 0) {
    return `select analysis_id from (${only.ids}) listed`;
  }
  // One query for every combination of sets, one set per condition. No song is in two sets of a condition, so none is listed twice.
  const allCombinations = songs.reduce<string[][]>(
    (combinations, { sets }) => sets.flatMap((set) => combinations.map((chosen) => [...chosen, set])),
    [[...more]],
  );
  return allCombinations
    .map((chosen) => ['select s.analysis_id from songs s where s.workspace_id = $1', ...chosen].join(' and '))
    .join(' union all ');
}

/**
 * Selects from the terms alone, which exist as long as the song does. The list of one term comes in the order of ids, so lists of
 * several terms are merged as they are read. A prefix may match two words of one song, hence `distinct`.
 */
function idsByTerms({ terms }: Conditions, as: 'distinct' | 'repeated' = 'distinct'): string {
  const [first, ...others] = terms
    .toSorted((a, b) => Number(b.once) - Number(a.once))
    .map(({ sets }) =>
      sets
        .map((set) => `select t.analysis_id from song_terms t where t.workspace_id = $1 and ${set}`)
        .join(' union '),
    );
  const once = terms.some((term) => term.once);
  if (once && others.length === 0) return first!;
  const inAll = others.map((ids) => `analysis_id in (${ids})`).join(' and ');
  return `select ${once || as === 'repeated' ? '' : 'distinct'} analysis_id from (${first}) listed
    ${inAll && `where ${inAll}`}`;
}

async function count(db: Queryable, { params }: Conditions, select: string): Promise<number> {
  const [row] = await queryNumbered<{ count: number }>(db, countOf(select), params);
  return row!.count;
}

function countOf(select: string): string {
  return `select count(*) as count from (${select}) as matches`;
}

/** PostgreSQL cannot infer the type of an unused parameter, so only those that the statement names are sent, renumbered. */
function queryNumbered<R>(db: Queryable, sql: string, params: readonly unknown[]): Promise<R[]> {
  const used = [...new Set([...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))];
  const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${used.indexOf(Number(number)) + 1}`);
  return db.query<R>(
    text,
    used.map((number) => params[number - 1]),
  );
}
