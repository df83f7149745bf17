import type { SongFilter, SongSort } from '@earshot/contract';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import type { Statement, Transaction } from '../platform/postgres.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestDatabase, settleStatistics } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { buildTestApp } from '../test/test-app.ts';
import { changeSongs } from './bulk.ts';
import { findSongs } from './find.ts';
import { browseSongs, searchSongs } from './find-store.ts';
import { compatibleNumbers, type MixSong, mixOf, scoreOf, TEMPO_SHIFT_PERCENT_MAX } from './mixing.ts';
import { findNext } from './neighbours.ts';
import { INDEX_VERSION } from './song.ts';
import { buildConditions, SORT_COLUMNS } from './song-filter.ts';
import { listInTempo } from './sound-store.ts';

/**
 * The cost of searches in a large library alongside others, by the plans that PostgreSQL makes for the real statements under row
 * security. `npm run bench:library` measures times with 100,000 songs.
 */
const SONG_COUNT = 12_000;
const FOREIGN_SONG_COUNT = 6_000;

const { db } = await createTestDatabase();
const member = await createTestMember(await buildTestContext(db));
const { workspaceId } = member.actor;
const ctx = { ...member, db: db.forTenant(workspaceId) };
const app = await buildTestApp(db);
const headers = await keyHeaders(member);
const collectionId = newId('col');

/** Every column is a function of the song's number, so the matches of a filter are known by construction. */
async function fill(owner: string, prefix: string, songCount: number): Promise<void> {
  const params = [owner, prefix, songCount];
  await db.query(
    `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, created_at)
     select $2 || lpad(n::text, 8, '0'), $1, 'workspace', 'completed', 'url', 'u', 'user',
       '2026-01-01'::timestamptz + n * interval '1 s'
     from generate_series(1, $3::int) n`,
    params,
  );
  await db.query(
    `insert into songs (analysis_id, workspace_id, created_at, title, title_key, artist_key, bpm, camelot, key_number, energy,
       danceability, valence, loudness_lufs, duration_seconds, voice, sha256, duplicate_of, terms, shelf_version)
     select $2 || lpad(n::text, 8, '0'), $1, '2026-01-01'::timestamptz + n * interval '1 s', 'Song ' || n, 'song ' || n,
       'artist ' || n % 500, case when n % 50 > 0 then 60 + n % 120 end,
       n % 24 / 2 + 1 || case when n % 2 = 0 then 'A' else 'B' end, n % 24, n % 100 / 100.0,
       n % 90 / 90.0, n % 80 / 80.0, -n % 30, 60 + n % 300,
       n % 20 = 0, md5(n::text), case when n % 40 = 0 then $2 || lpad((n - 1)::text, 8, '0') end,
       array['w:song', 'p:s', 'p:so', 'w:' || n, 'p:' || left(n::text, 1),
         'genre:' || case when n % 3 = 0 then 'house' else 'rock' end, 'tag:t' || n % 400]
         || case when n > 9 then array['p:' || left(n::text, 2)] else '{}' end
         || case when n % 2 = 0 then array['instrument:piano'] else '{}' end
         || case when n % 3 = 0 then array['instrument:drums'] else '{}' end,
       ${INDEX_VERSION}
     from generate_series(1, $3::int) n`,
    params,
  );
  await db.query(
    `insert into song_terms (workspace_id, analysis_id, term)
     select s.workspace_id, s.analysis_id, unnest(s.terms) from songs s where s.workspace_id = $1`,
    [owner],
  );
}

beforeAll(async () => {
  await fill(workspaceId, 'job_a', SONG_COUNT);
  for (const letter of ['b', 'c', 'd']) {
    const other = await createTestMember(member);
    await fill(other.actor.workspaceId, `job_${letter}`, FOREIGN_SONG_COUNT / 3);
  }
  await db.query(
    `insert into collections (id, workspace_id, name, created_by, created_at, updated_at) values ($1, $2, 'c', 'u', now(), now())`,
    [collectionId, workspaceId],
  );
  await db.query(
    `insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at)
     select $1, $2, 'job_a' || lpad(n::text, 8, '0'), n, now() from generate_series(1, 40) n`,
    [collectionId, workspaceId],
  );
  // Statistics of all rows rather than a sample: a choice between plans of nearly equal cost is the same each time.
  await db.query('alter table song_terms alter term set statistics 1000');
  await settleStatistics(db);
});

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** The indexes and node types in the plans of `work`'s statements, the rows they read, and whether they scan a whole table. */
async function explain(work: (tx: Transaction) => Promise<unknown>) {
  const indexes = new Set<string>();
  const nodeTypes = new Set<string>();
  let rowCount = 0;
  let scanned = false;
  const visit = (plan: Plan) => {
    const loops = plan['Actual Loops'] ?? 1;
    nodeTypes.add(plan['Node Type']);
    if (plan['Index Name']) indexes.add(plan['Index Name']);
    if (plan['Relation Name'])
      rowCount += ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * loops;
    if (
      plan['Node Type'] === 'Seq Scan' &&
      ['songs', 'song_terms', 'analyses'].includes(plan['Relation Name']!)
    )
      scanned = true;
    for (const inner of plan.Plans ?? []) visit(inner);
  };
  await ctx.db.transaction(async (tx) => {
    const watched: Transaction = {
      ...tx,
      query: async <R>(sql: string, params?: readonly unknown[]) => {
        if (/^(select set_config|prepare |deallocate )/.test(sql)) return tx.query<R>(sql, params);
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, timing off, format json) ${sql}`,
          params,
        );
        visit(row!['QUERY PLAN'][0].Plan);
        return tx.query<R>(sql, params);
      },
    };
    await work(watched);
  });
  return { indexes: [...indexes], nodeTypes: [...nodeTypes], rowCount, scanned };
}

async function explainSearch(filter: SongFilter, sort: SongSort | `-${SongSort}`) {
  const { key: _key, compatible_with: _with, created_after, created_before, ...rest } = filter;
  const resolved = {
    ...rest,
    keyNumbers: filter.key ? [14] : null,
    createdAfter: created_after ?? null,
    createdBefore: created_before ?? null,
  };
  const conditions = buildConditions(workspaceId, resolved, true);
  const column = SORT_COLUMNS[sort.replace('-', '') as SongSort];
  const page = { column, descending: sort.startsWith('-'), after: null, limit: 51 };
  return explain((tx) => searchSongs(tx, conditions, page));
}

describe(`a search in ${SONG_COUNT} songs, with ${FOREIGN_SONG_COUNT} of other workspaces`, () => {
  it.each<[SongSort, string]>([
    ['created_at', 'songs_by_created'],
    ['title', 'songs_by_title'],
    ['artist', 'songs_by_artist'],
    ['bpm', 'songs_by_bpm'],
    ['key', 'songs_by_key'],
    ['energy', 'songs_by_energy'],
    ['danceability', 'songs_by_danceability'],
    ['loudness_lufs', 'songs_by_loudness'],
    ['duration_seconds', 'songs_by_duration'],
  ])('sorted by %s, in either direction, reads the index %s and counts all songs', async (sort, index) => {
    for (const direction of [sort, `-${sort}`] as const) {
      const plan = await explainSearch({}, direction);
      expect(plan.indexes.sort()).toEqual([index, 'songs_counted'].sort());
      expect(plan.rowCount).toBeLessThan(SONG_COUNT + 200);
    }
  });

  it.each([
    [true, null],
    [false, null],
    [true, { value: '2026-01-01 01:00:00+00', id: 'job_a00003600' }],
    [false, { value: '2026-01-01 01:00:00+00', id: 'job_a00003600' }],
  ])(
    'by creation time (descending: %s, after: %o) uses the indexes in its cached generic plan',
    async (descending, after) => {
      const PAGE_SONGS = 51;
      let statements: readonly Statement[] = [];
      const batch = async (asked: readonly Statement[]) => {
        statements = asked;
        return [[], [{ page: [], total: 0 }]];
      };
      const page = { column: SORT_COLUMNS.created_at, descending, after, limit: PAGE_SONGS };
      await browseSongs({ batch }, workspaceId, page);
      const [[settings], [sql, params]] = statements as [Statement, Statement];
      const values = params.map((value) => pg.escapeLiteral(String(value))).join(', ');
      const plan = await explain(async (tx) => {
        await tx.query(`select set_config('plan_cache_mode', 'force_generic_plan', true)`);
        await tx.query(settings);
        await tx.query(`prepare browsed as ${sql}`);
        const [{ total, page: found }] = (await tx.query(`execute browsed (${values})`)) as [
          { total: number; page: unknown[] },
        ];
        expect([total, found.length]).toEqual([SONG_COUNT, PAGE_SONGS]);
        await tx.query('deallocate browsed');
      });
      expect(plan.indexes).toEqual(
        expect.arrayContaining(['songs_by_created', 'songs_counted', 'analyses_pkey']),
      );
      expect(plan.scanned).toBe(false);
      // The count of all songs, and for each song of the page the rows of the tables that its analysis is read from.
      expect(plan.rowCount).toBeLessThan(SONG_COUNT + 10 * PAGE_SONGS);
    },
  );

  /** The number is the rows that the plan may read: mostly a fraction of the library. */
  it.each<[SongFilter, string, number]>([
    [{ q: 'song 1' }, 'song_terms_pkey', 40_000],
    [{ q: '117' }, 'song_terms_pkey', 300],
    [{ q: 's' }, 'song_terms_pkey', 10_500],
    [{ q: 's 1' }, 'song_terms_pkey', 15_500],
    [{ tag: ['t7'] }, 'song_terms_pkey', 200],
    [{ genre: ['house'] }, 'song_terms_pkey', 10_000],
    [{ genre: ['house'], tag: ['t7'] }, 'song_terms_pkey', 5_000],
    [{ genre: ['house'], energy_min: 0.95 }, 'songs_by_energy', 9_000],
    [{ genre: ['house'], energy_min: 0.1 }, 'songs_by_energy', 29_000],
    [{ genre: ['house'], energy_min: 0.1, duration_min: 80 }, 'song_terms_pkey', 40_000],
    [{ tag: ['t7'], energy_min: 0.1 }, 'song_terms_pkey', 200],
    [{ bpm_min: 100, bpm_max: 101 }, 'songs_by_bpm', 1_000],
    [{ genre: ['house', 'rock'] }, 'song_terms_pkey', 10_500],
    [{ instrument: ['piano', 'drums'] }, 'song_terms_pkey', 12_500],
    [{ bpm_near: 100 }, 'songs_by_bpm', 2_500],
    [{ key: ['8A'] }, 'songs_by_key', 2_000],
    [{ energy_min: 0.99 }, 'songs_by_energy', 1_000],
    [{ danceability_min: 0.98 }, 'songs_by_danceability', 1_000],
    [{ valence_max: 0.01 }, 'songs_by_valence', 1_000],
    [{ loudness_min: 0 }, 'songs_by_loudness', 2_000],
    [{ duration_min: 358 }, 'songs_by_duration', 1_000],
    [{ voice: 'yes' }, 'songs_by_voice', 2_000],
    [{ collection: collectionId }, 'songs_pkey', 500],
    [{ status: 'failed' }, 'analyses_of_workspace_by_status', 10],
    [{ created_after: new Date('2026-01-01T03:19:00Z') }, 'songs_by_created', 1_000],
    [{ sha256: 'a'.repeat(64) }, 'songs_by_sha256', 10],
    [{ duplicates: 'only' }, 'songs_duplicates', 1_500],
  ])('%o is found by %s', async (filter, index, rowsMax) => {
    const plan = await explainSearch(filter, '-created_at');
    expect(plan.indexes).toContain(index);
    expect(plan.scanned).toBe(false);
    expect(plan.rowCount).toBeLessThan(rowsMax);
  });

  it('counts at most 10,000 matches of a filter, and all songs without one', async () => {
    const totalOf = async (query: string) => {
      const answer = await app.call('GET', `/v1/analyses?limit=1${query}`, { headers });
      return [Number(answer.headers['x-total-count']), answer.headers['x-total-count-relation']];
    };
    expect(await totalOf('')).toEqual([SONG_COUNT, 'exact']);
    // The energy of song n is n % 100 / 100: 90 % of all songs have at least 0.1, 80 % at least 0.2.
    expect(await totalOf('&energy_min=0.1')).toEqual([10_000, 'at-least']);
    expect(await totalOf('&energy_min=0.2')).toEqual([0.8 * SONG_COUNT, 'exact']);
  });

  it('refuses a bulk change of more than 10,000 songs, and of more than 500 where each is expensive', async () => {
    const change = (action: 'tag' | 'delete', filter: SongFilter) =>
      changeSongs(ctx, { selection: { filter }, action, tags: ['x'], collectionId: null });
    await expect(change('tag', {})).rejects.toThrow('This finds more than 10000 songs, too many for tag.');
    // 600 songs have an energy of 0.95 or more.
    await expect(change('delete', { energy_min: 0.95 })).rejects.toThrow(
      'more than 500 songs, too many for delete',
    );
  });

  it('merges the lists of terms as they are read', async () => {
    const { nodeTypes } = await explainSearch({ instrument: ['piano', 'drums'] }, '-created_at');
    expect(nodeTypes).toContain('Merge Join');
    expect(nodeTypes).not.toContain('Hash Join');
    const short = await explainSearch({ q: 's 1' }, '-created_at');
    expect(short.nodeTypes).toContain('Merge Join');
    expect(short.nodeTypes).not.toContain('Unique');
    expect((await explainSearch({ genre: ['house', 'rock'] }, '-created_at')).nodeTypes).toContain(
      'Merge Append',
    );
  });

  it('for the next song reads few candidates, and finds the same as a ranking of all songs', async () => {
    const from = 'job_a00006041';
    let next: string[] = [];
    const { indexes, rowCount, scanned } = await explain(async (tx) => {
      const found = await findNext({ ...ctx, db: { ...ctx.db, query: tx.query } }, from, 20);
      next = found.map(({ song }) => song.id);
    });
    expect(indexes).toContain('songs_to_mix');
    expect(scanned).toBe(false);
    // About 2,000 songs are within 8 %, a sixth of them in a compatible key.
    expect(rowCount).toBeLessThan(600);
    const all = await listInTempo(ctx.db, workspaceId, {
      spansBpm: [[1, 1000]],
      keyNumbers: compatibleNumbers(6041 % 24),
      original: from,
      limit: SONG_COUNT,
    });
    const [own] = await db.query<MixSong>('select bpm, camelot, energy from songs where analysis_id = $1', [
      from,
    ]);
    const scored = all
      .map((song) => ({ id: song.id, mix: mixOf(own!, song) }))
      .filter(({ mix }) => Math.abs(mix.tempoShiftPercent!) <= TEMPO_SHIFT_PERCENT_MAX)
      .sort((a, b) => scoreOf(b.mix) - scoreOf(a.mix) || (a.id < b.id ? -1 : 1));
    expect(next).toEqual(scored.slice(0, 20).map(({ id }) => id));
  });

  it.each<SongFilter>([
    { bpm_near: 100 },
    { voice: 'yes' },
    { collection: collectionId },
    { duplicates: 'only' },
    { duplicates: 'hide', energy_min: 0.9 },
    { status: 'completed', energy_min: 0.9 },
    { status: 'failed' },
  ])('%o finds the same songs by its index and by testing those with drums one by one', async (filter) => {
    const find = async (search: SongFilter) => {
      const { songs, total } = await findSongs(ctx, { filter: search }, { limit: SONG_COUNT, after: null });
      expect(total).toBe(songs.length);
      return songs.map(({ id }) => id);
    };
    const byIndex = await find(filter);
    // Every third song has them, which is too many to be gathered.
    const withDrums = byIndex.filter((id) => Number(id.slice(5)) % 3 === 0);
    expect(await find({ ...filter, instrument: ['drums'] })).toEqual(withDrums);
  });

  it('finds the same songs by walking and by gathering, in every order', async () => {
    const all = await db.query<{ id: string; n: number; sorted: Record<string, number | string | null> }>(
      `select analysis_id as id, substr(analysis_id, 6)::int as n, jsonb_build_object('bpm', bpm, 'title', title_key) as sorted
       from songs where workspace_id = $1`,
      [workspaceId],
    );
    const SEEN_MAX = 1_000;
    const isHouse = (n: number) => n % 3 === 0 && n % 100 >= 20;
    for (const sort of ['bpm', '-bpm', 'title', '-created_at'] as const) {
      // The first has many matches and is walked; the second has few and is gathered.
      for (const { filter, isWanted, count, limit } of [
        { filter: { genre: ['house'], energy_min: 0.2 }, isWanted: isHouse, count: 3_200, limit: 200 },
        {
          filter: { genre: ['house'], energy_min: 0.2, tag: ['t50'] },
          isWanted: (n: number) => isHouse(n) && n % 400 === 50,
          count: 10,
          limit: 4,
        },
      ]) {
        const wanted = all.filter(({ n }) => isWanted(n));
        expect(wanted).toHaveLength(count);
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const page = await findSongs(ctx, { filter, sort }, { limit, after });
          expect(page.total).toBe(count);
          seen.push(...page.songs.map(({ id }) => id));
          after = page.nextCursor;
        } while (after !== null && seen.length < SEEN_MAX);
        const column = sort.replace('-', '');
        const direction = sort.startsWith('-') ? -1 : 1;
        const compare = (a: (typeof all)[number], b: (typeof all)[number]) => {
          const [x, y] =
            column === 'created_at' ? [a.n, b.n] : [a.sorted[column] ?? null, b.sorted[column] ?? null];
          if (x !== y && (x === null || y === null)) return x === null ? 1 : -1;
          return direction * (x! < y! ? -1 : x! > y! ? 1 : a.id < b.id ? -1 : 1);
        };
        const expected = wanted.toSorted(compare).map(({ id }) => id);
        expect(seen).toEqual(expected.slice(0, SEEN_MAX));
      }
    }
  });
});
