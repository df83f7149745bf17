import type { Queryable } from '../platform/postgres.ts';
import type { Position } from './cursor.ts';
import type { Conditions } from './song-filter.ts';

export type FoundSong = { id: string; value: string | number | null };

export type SongPage = {
  column: string;
  descending: boolean;
  /** Null for the first page. */
  after: Position | null;
  limit: number;
};

/** Songs in order; those without the value that is sorted by come last, whichever way round. */
export async function listSongs(db: Queryable, conditions: Conditions, page: SongPage): Promise<FoundSong[]> {
  const { column, after, limit } = page;
  if (column === 'analysis_id') return listPart(db, conditions, page, 'all');
  const valued = after?.value === null ? [] : await listPart(db, conditions, page, 'valued');
  if (valued.length >= limit) return valued;
  const rest = {
    ...page,
    after: after?.value === null ? after : null,
    limit: limit - valued.length,
  };
  return [...valued, ...(await listPart(db, conditions, rest, 'unvalued'))];
}

async function listPart(
  db: Queryable,
  conditions: Conditions,
  { column, descending, after, limit }: SongPage,
  part: 'all' | 'valued' | 'unvalued',
): Promise<FoundSong[]> {
  const params = [...conditions.params];
  const put = (value: unknown) => `$${params.push(value)}`;
  const [way, beyond] = descending ? ['desc', '<'] : ['asc', '>'];
  const sorted = part === 'valued' ? `s.${column}` : null;
  const partly = part === 'all' ? '' : `and s.${column} is ${part === 'valued' ? 'not null' : 'null'}`;
  const from =
    after === null
      ? ''
      : sorted
        ? `and (${sorted}, s.analysis_id) ${beyond} (${put(after.value)}, ${put(after.id)})`
        : `and s.analysis_id ${beyond} ${put(after.id)}`;
  const order = sorted ? `${sorted} ${way}, s.analysis_id ${way}` : `s.analysis_id ${way}`;
  return db.query<FoundSong>(
    `select s.analysis_id as id, ${sorted ?? 'null'} as value from songs s
     where ${conditions.sql} ${partly} ${from}
     order by ${order} limit ${put(limit)}`,
    params,
  );
}

export async function countSongs(db: Queryable, conditions: Conditions): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    `select count(*) as count from songs s where ${conditions.sql}`,
    conditions.params,
  );
  return count;
}

/** At most `limit` of them, in no particular order. */
export async function listSongIds(db: Queryable, conditions: Conditions, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select s.analysis_id as id from songs s where ${conditions.sql} limit ${limit}`,
    conditions.params,
  );
  return rows.map(({ id }) => id);
}
