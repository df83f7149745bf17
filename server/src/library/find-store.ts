import type { Analysis } from '../analyses/analysis.ts';
import { type AnalysisRow, fromRow, rowWhere } from '../analyses/analysis-row.ts';
import type { Database, Queryable, Statement, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import type { Position } from './cursor.ts';
import type { Conditions } from './song-filter.ts';

/**
 * How songs are found among a hundred thousand in some milliseconds. PostgreSQL cannot plan this by itself: under row security it
 * believes every workspace to be as small as the average one. So sizes are counted from indexes, never further than it matters, and
 * the statements leave little to choose:
 *
 * - few songs fit: they are gathered by the conditions' own indexes, then sorted;
 * - many fit: the index of the order is walked, and every row asked whether it fits, until the page is full.
 */

/** `analysis`: where it was read with the page; null when it is gone meanwhile. */
export type FoundSong = { id: string; value: string | number | null; analysis?: Analysis | null };

export type SongPage = {
  column: string;
  descending: boolean;
  /** Null for the first page. */
  after: Position | null;
  limit: number;
};

/** Songs that fit a filter are counted to here, and no further. */
export const TOTAL_MAX = 10_000;
/** Up to this many are gathered and sorted. A walk for one page looks at about 50 × library / fitting songs: as many, when this many fit. */
const GATHERED_MAX = 3_000;
/** Up to this many are looked at one by one for their terms. Chosen: three times what is gathered. */
const ASKED_MAX = 9_000;

/** The songs as they came, none left out: what everybody sees first, with their analyses, in one wait for the database. */
export async function browseSongs(
  db: Pick<Database, 'batch'>,
  workspaceId: string,
  { descending, after, limit }: SongPage,
): Promise<{ found: FoundSong[]; total: number }> {
  const order = descending ? NEWEST_FIRST : OLDEST_FIRST;
  const [, answered] = await db.batch([
    [`select ${IN_ORDER}`, []],
    after === null
      ? [order.first, [workspaceId, limit]]
      : [order.next, [workspaceId, limit, after.value, after.id]],
  ]);
  const [{ page, total }] = answered as [
    { page: (FoundSong & { row: AnalysisRow | null })[]; total: number },
  ];
  return { found: page.map(({ id, value, row }) => ({ id, value, analysis: row && fromRow(row) })), total };
}

/** Counted, not kept: 100,000 take some 10 ms, and everybody who adds to a workspace would wait for the row of its counter. */
const ALL_SONGS = 'select 1 from songs s where s.workspace_id = $1 and s.shelf_version >= 0';

const browseStatement = (way: 'asc' | 'desc', from: string) =>
  prepared(`select (${countOf(ALL_SONGS)}) as total, coalesce(json_agg(page), '[]') as page from (
    select shelf.analysis_id as id, shelf.created_at::text as value,
      (${rowWhere('a.id = shelf.analysis_id and a.workspace_id = $1 and a.deleted_at is null')}) as row
    from songs shelf where shelf.workspace_id = $1 ${from}
    order by shelf.created_at ${way}, shelf.analysis_id ${way} limit $2) as page`);
const NEWEST_FIRST = {
  first: browseStatement('desc', ''),
  next: browseStatement('desc', 'and (shelf.created_at, shelf.analysis_id) < ($3::timestamptz, $4)'),
};
const OLDEST_FIRST = {
  first: browseStatement('asc', ''),
  next: browseStatement('asc', 'and (shelf.created_at, shelf.analysis_id) > ($3::timestamptz, $4)'),
};

/** A page of the songs that fit, and how many fit: TOTAL_MAX + 1 when there are more. Songs without the value that is sorted by come last. */
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
    : await count(tx, conditions, `${await fittingMany(tx, conditions)} limit ${TOTAL_MAX + 1}`);
  return { found: await walk(tx, conditions, page), total };
}

/**
 * One statement: who fits by the narrower index, how many that are, and, when they are few, the page of them. `offset 0` makes it look
 * up each of them: a join of another kind would read the whole library.
 */
async function gather(
  db: Queryable,
  conditions: Conditions,
  { column, descending, after, limit }: SongPage,
): Promise<{ found: FoundSong[] | null; total: number; isTotal: boolean }> {
  const params = [...conditions.params];
  const put = (value: unknown) => `$${params.push(value)}`;
  const [way, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const byTerms = conditions.terms.length > 0;
  // Terms are compared list by list. The planner takes them to be short, and would look up each of one in the others.
  if (conditions.terms.length > 1) await db.query(`select set_config('enable_nestloop', 'off', true)`);
  // By terms alone, of which a song has one at most once, the list names every song once: its length is the total.
  const isTotal = !byTerms || (conditions.songs.length === 0 && conditions.terms.some(({ once }) => once));
  const listedMax = isTotal ? TOTAL_MAX : GATHERED_MAX;
  // Made distinct after the limit: before it, all words that begin with a letter would have to be read.
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
  const rows = await ask<{ candidates: number; total: number; id: string | null; value: FoundSong['value'] }>(
    db,
    `with ${repeated} candidates as materialized (${candidates}),
     counted as materialized (select count(*) as count from ${byTerms ? 'repeated' : 'candidates'}),
     fitting as materialized (
       select s.analysis_id as id, s.${column} as sorted, ${cursorValue(column)} as value
       from candidates c cross join lateral (
         select * from songs s where s.analysis_id = c.analysis_id and s.workspace_id = $1 ${rest} offset 0) s
       where (select count from counted) <= ${GATHERED_MAX}),
     page as (
       select id, sorted, value from fitting ${from} order by sorted ${way} nulls last, id ${way} limit ${put(limit)})
     select counted.count as candidates, (select count(*) from fitting) as total, page.id, page.value
     from counted left join page on true order by page.sorted ${way} nulls last, page.id ${way}`,
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

/** The ids of those that fit, when many do: by terms alone, by asking some songs for their terms, or by comparing two lists. */
async function fittingMany(db: Queryable, conditions: Conditions): Promise<string> {
  const byTerms = idsByTerms(conditions);
  if (conditions.songs.length === 0) return byTerms;
  const bySongs = idsBySongs(conditions);
  // By two columns, the planner would rather read all songs of all workspaces.
  await db.query(`select set_config('enable_seqscan', 'off', true)`);
  if ((await count(db, conditions, `${bySongs} limit ${ASKED_MAX + 1}`)) <= ASKED_MAX) {
    return idsBySongs(
      conditions,
      conditions.terms.map(({ row }) => row),
    );
  }
  // One list is hashed and the other read until enough are found in it: the planner takes both to be short.
  await db.query(`select set_config('enable_nestloop', 'off', true)`);
  return `select analysis_id from (${byTerms}) listed where analysis_id in (${bySongs})`;
}

/** For the rest of the transaction: rows come in the order of an index, or not at all if there is another way. */
const IN_ORDER = ['enable_sort', 'enable_incremental_sort', 'enable_seqscan', 'enable_bitmapscan']
  .map((setting) => `set_config('${setting}', 'off', true)`)
  .join(', ');

/** Along the index of the order: first the songs that have its value, then those that have none. */
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
  page: SongPage,
  valued: boolean,
): Promise<FoundSong[]> {
  return db.query<FoundSong>(...walkStatement(conditions, page, valued));
}

function walkStatement(
  conditions: Conditions,
  { column, descending, after, limit }: SongPage,
  valued: boolean,
): Statement {
  const params = [...conditions.params];
  const put = (value: unknown) => `$${params.push(value)}`;
  const [way, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const from =
    after === null
      ? ''
      : valued
        ? `and (s.${column}, s.analysis_id) ${beyond} (${put(after.value)}, ${put(after.id)})`
        : `and s.analysis_id ${beyond} ${put(after.id)}`;
  const rows = [...conditions.songs, ...conditions.terms].map(({ row }) => `and ${row}`).join('\n');
  return numbered(
    `select s.analysis_id as id, ${cursorValue(column)} as value from songs s
     where s.workspace_id = $1 and s.${column} is ${valued ? 'not null' : 'null'} ${from} ${rows}
     order by s.${column} ${way}, s.analysis_id ${way} limit ${put(limit)}`,
    params,
  );
}

/** At most `limit` of those that fit, in no particular order. */
export async function listSongIds(db: Queryable, conditions: Conditions, limit: number): Promise<string[]> {
  const byTerms = conditions.terms.length === 0 ? [] : [`s.analysis_id in (${idsByTerms(conditions)})`];
  const rows = await ask<{ analysis_id: string }>(
    db,
    `${idsBySongs(conditions, byTerms)} limit ${limit}`,
    conditions.params,
  );
  return rows.map((row) => row.analysis_id);
}

/** A moment goes into a cursor with its microseconds. */
function cursorValue(column: string): string {
  return column === 'created_at' ? 's.created_at::text' : `s.${column}`;
}

function idsBySongs({ songs }: Conditions, more: readonly string[] = []): string {
  const [only] = songs;
  if (only?.ids !== undefined && songs.length === 1 && more.length === 0) {
    return `select analysis_id from (${only.ids}) listed`;
  }
  // Every choice of one set of each condition; the sets of one have no song in common.
  const choices = songs.reduce<string[][]>(
    (before, { sets }) => sets.flatMap((set) => before.map((chosen) => [...chosen, set])),
    [[...more]],
  );
  return choices
    .map((chosen) => ['select s.analysis_id from songs s where s.workspace_id = $1', ...chosen].join(' and '))
    .join(' union all ');
}

/**
 * From the terms alone: a song has them as long as it is on the shelf. The list of one term comes in the order of its ids, so that the
 * lists of several are merged or compared as they are read. Two words of one song may begin alike.
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
  const [row] = await ask<{ count: number }>(db, countOf(select), params);
  return row!.count;
}

function countOf(select: string): string {
  return `select count(*) as count from (${select}) as fitting`;
}

function ask<R>(db: Queryable, sql: string, params: readonly unknown[]): Promise<R[]> {
  return db.query<R>(...numbered(sql, params));
}

/** PostgreSQL wants every parameter used: a statement gets those it names, and no others. */
function numbered(sql: string, params: readonly unknown[]): Statement {
  const used = [...new Set([...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))];
  const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${used.indexOf(Number(number)) + 1}`);
  return [text, used.map((number) => params[number - 1])];
}
