/**
 * Measures the library at scale: every search, sort and filter, similar and next, in a workspace of 100,000 songs.
 *
 *   npm run bench:library -- [--songs 100000] [--data DIR] [--write] FILE...
 *
 * FILE: audio to analyse (default: the sample songs); the library consists of variations of these results. Other workspaces hold half as
 * many songs again. Database time is the time a query waits for PostgreSQL, driver included; HTTP time is that of a second process over
 * loopback, with an API key. --data keeps the library in DIR for the next run; --write puts the table into docs/benchmarks.md. Exits
 * with 1 when a limit is exceeded.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { ResultDocument } from '@earshot/exports';
import { replaceSection } from '../../scripts/replace-section.mjs';
import { readConfig } from '../src/config.ts';
import type { MemberContext } from '../src/context.ts';
import { buildDependencies } from '../src/dependencies.ts';
import { findSongs } from '../src/library/find.ts';
import { findNext, findSimilar } from '../src/library/neighbours.ts';
import { createSoundIndex } from '../src/library/sound-index.ts';
import { newId } from '../src/platform/ids.ts';
import { type Database, openDatabase, type Queryable } from '../src/platform/postgres.ts';
import { openBenchDatabase } from './bench-database.ts';
import { BENCHMARKS_PAGE } from './benchmarks-page.ts';
import { insertCollection } from './library-collection.ts';
import { formatSection, type MeasuredQuery, measureWithinLimits } from './library-page.ts';
import { type LibraryQuery, listQueries, PAGE_ROWS } from './library-queries.ts';
import { sketchSongs, timeLinking } from './library-recordings.ts';
import { fillLibrary } from './library-songs.ts';
import { residentMegabytes, startApi } from './service-process.ts';

/** The fewest for which p95 is not the maximum. */
const ROUND_COUNT = 20;
/** Enough that the songs of one workspace are not contiguous on disk. */
const OTHER_WORKSPACE_COUNT = 50;
/** More than the result of any song has. */
const DOCUMENT_BYTES_MAX = 2 ** 28;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    songs: { type: 'string', default: '100000' },
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const songCount = Number(values.songs);
const SAMPLES = ['two-doors-down', 'night-bus', 'three-lamps'].map(
  (name) => `examples/sample-song/${name}.mp3`,
);

const opened = await openBenchDatabase({ level: 'warn', dataDir: values.data });
const { log, dataDir, connection, db } = opened;
const service = await startApi(dataDir);

try {
  const seeds = positionals.length > 0 ? positionals : SAMPLES;
  const library = (await findLibrary()) ?? (await createLibrary(analyse(seeds)));
  const { workspaceId, ids, collectionId } = library;
  await sketchSongs(db, workspaceId);
  const headers = { 'x-api-key': await createApiKey(workspaceId), 'accept-encoding': 'gzip' };

  // One connection, so that all processor time of the questions is that of one server process.
  const single = openDatabase({ connection, log, connectionsMax: 1 });
  const { pid } = await single.one<{ pid: number }>('select pg_backend_pid() as pid');
  const timed = timeDatabase(single.forTenant(workspaceId), pid);
  const ctx = await buildContext(timed.db, workspaceId);
  const song = ids[Math.floor(ids.length / 2)]!;
  // Loads the embeddings of all songs into both processes, so that no query below pays for it.
  const { durationMs: unreadMs } = await requestOnce(`/v1/analyses/${song}/similar`, headers);
  await findSimilar(ctx, song, { aspect: 'all', limit: PAGE_ROWS });
  const queries = listQueries({ collectionId, song });
  const measured: MeasuredQuery[] = [];
  for (const query of queries) {
    const one = await measureWithinLimits(async () => {
      const run = () => runInProcess(ctx, query, song);
      // The first run reads from disk what the others find in memory.
      const first = await timed.measure(run);
      const times: Awaited<ReturnType<typeof timed.measure>>[] = [];
      for (let round = 0; round < ROUND_COUNT; round += 1) times.push(await timed.measure(run));
      return {
        ...query,
        firstMs: first.wallMs,
        databaseMs: median(times.map(({ wallMs }) => wallMs)),
        processorMs: median(times.map(({ processorMs }) => processorMs)),
        ...(await timeHttp(query.path.replaceAll('{song}', song), headers)),
      };
    });
    measured.push(one);
    const figures = [one.firstMs, one.databaseMs, one.processorMs, one.p95Ms];
    console.error(`${figures.map((ms) => ms.toFixed(1).padStart(7)).join('')} ms  ${one.name}`);
  }
  const linkingMs = await timeLinking(db, workspaceId, ids, ROUND_COUNT);
  const section = formatSection(measured, {
    unreadMs,
    linkingMs: median(linkingMs),
    linkingMsMax: Math.max(...linkingMs),
    songCount: ids.length,
    otherSongCount: (await countAll()) - ids.length,
    seedCount: seeds.length,
    roundCount: ROUND_COUNT,
    coreCount: availableParallelism(),
    loadAverage: loadavg()[0]!,
    apiMegabytes: await residentMegabytes(service.pid),
    databaseMegabytes:
      (await db.one<{ bytes: number }>('select pg_database_size(current_database()) as bytes')).bytes / 1e6,
  });
  await single.close();
  console.log(section.text);
  if (values.write) replaceSection(BENCHMARKS_PAGE, 'library', section.text);
  process.exitCode = section.passed ? 0 : 1;
} finally {
  await service.stop();
  await opened.close();
}

/** With the command line, which writes the same documents as the service. */
function analyse(paths: readonly string[]): ResultDocument[] {
  return paths.map((path) => {
    const args = ['cli/bin/earshot.mjs', 'analyze', '--json', '--no-progress', path];
    return JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: DOCUMENT_BYTES_MAX }),
    ) as ResultDocument;
  });
}

type Library = { workspaceId: string; ids: string[]; collectionId: string };

async function createLibrary(seeds: readonly ResultDocument[]): Promise<Library> {
  const startedMs = performance.now();
  const workspaceId = await createWorkspace();
  const ids = await fillLibrary(db, { workspaceId, seeds, count: songCount, seed: 1 });
  const otherSongCount = Math.ceil(songCount / 2 / OTHER_WORKSPACE_COUNT);
  for (let other = 0; other < OTHER_WORKSPACE_COUNT; other += 1) {
    await fillLibrary(db, {
      workspaceId: await createWorkspace(),
      seeds,
      count: otherSongCount,
      seed: other + 2,
    });
  }
  const collectionId = await insertCollection(db, workspaceId, ids);
  await db.query('vacuum analyze');
  console.error(`${ids.length} songs in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  return { workspaceId, ids, collectionId };
}

/** The library of an earlier run with the same --data. */
async function findLibrary(): Promise<Library | null> {
  const kept = await db.maybeOne<{ id: string; workspace_id: string }>(
    `select id, workspace_id from collections where name = 'Bench'`,
  );
  if (!kept) return null;
  const songs = await db.query<{ id: string }>(
    'select analysis_id as id from songs where workspace_id = $1 order by 1',
    [kept.workspace_id],
  );
  return { workspaceId: kept.workspace_id, collectionId: kept.id, ids: songs.map(({ id }) => id) };
}

async function countAll(): Promise<number> {
  return (await db.one<{ count: number }>('select count(*) as count from songs')).count;
}

async function createWorkspace(): Promise<string> {
  const id = newId('ws');
  await db.query('insert into workspaces (id, name) values ($1, $2)', [id, 'Bench']);
  return id;
}

/** Registers an account and moves it, with its key, into the workspace of the large library. */
async function createApiKey(workspaceId: string): Promise<string> {
  const email = `${newId('usr')}@example.com`;
  const response = await fetch(`${service.url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { api_key: key } = (await response.json()) as { api_key: string };
  const { id } = await db.one<{ id: string }>('select id from users where email = $1', [email]);
  await db.query(`update memberships set workspace_id = $1, role = 'admin' where user_id = $2`, [
    workspaceId,
    id,
  ]);
  await db.query('update api_keys set workspace_id = $1 where created_by = $2', [workspaceId, id]);
  await db.query(
    `insert into billing_accounts (workspace_id, provider, plan) values ($1, 'sandbox', 'scale') on conflict do nothing`,
    [workspaceId],
  );
  return key;
}

async function buildContext(tenantDb: Database, workspaceId: string): Promise<MemberContext> {
  const config = readConfig({ DATA_DIR: dataDir }, () => 'a secret key for the bench alone, long enough');
  const deps = await buildDependencies(config, db, log, new AbortController().signal);
  const actor = { kind: 'user', userId: 'usr_', sessionId: 'ses_', workspaceId, role: 'owner' } as const;
  return {
    ...deps,
    db: tenantDb,
    soundIndex: createSoundIndex(tenantDb),
    actor,
    requestId: 'bench',
    ip: null,
  };
}

async function runInProcess(ctx: MemberContext, { path, call }: LibraryQuery, song: string): Promise<void> {
  if (call === 'similar') await findSimilar(ctx, song, { aspect: aspectOf(path), limit: PAGE_ROWS });
  else if (call === 'next') await findNext(ctx, song, PAGE_ROWS);
  else await findSongs(ctx, { filter: call.filter, sort: call.sort }, { limit: call.limit, after: null });
}

function aspectOf(path: string) {
  return (new URL(path, 'http://x').searchParams.get('by') ?? 'all') as
    | 'all'
    | 'sound'
    | 'harmony'
    | 'rhythm';
}

async function timeHttp(path: string, headers: Record<string, string>) {
  // The first request pays for the connection.
  const { gzippedBytes, rows } = await requestOnce(path, headers);
  const timesMs: number[] = [];
  for (let round = 0; round < ROUND_COUNT; round += 1)
    timesMs.push((await requestOnce(path, headers)).durationMs);
  timesMs.sort((a, b) => a - b);
  return { p95Ms: timesMs[Math.ceil(ROUND_COUNT * 0.95) - 1]!, gzippedBytes, rows };
}

async function requestOnce(path: string, headers: Record<string, string>) {
  const startedMs = performance.now();
  const response = await fetch(`${service.url}${path}`, { headers });
  const body = await response.text();
  const durationMs = performance.now() - startedMs;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
  const gzippedBytes = Number(response.headers.get('content-length'));
  return { durationMs, gzippedBytes, rows: (JSON.parse(body) as unknown[]).length };
}

/** Wraps a database to sum up the time of its statements, concurrent ones included. */
function timeDatabase(whole: Database, serverPid: number) {
  let sumMs = 0;
  const timing = (target: Queryable): Pick<Queryable, 'query' | 'one' | 'maybeOne'> => {
    const time = async <T>(work: Promise<T>) => {
      const startedMs = performance.now();
      const answer = await work;
      sumMs += performance.now() - startedMs;
      return answer;
    };
    return {
      query: (sql, params) => time(target.query(sql, params)),
      one: (sql, params) => time(target.one(sql, params)),
      maybeOne: (sql, params) => time(target.maybeOne(sql, params)),
    };
  };
  const timedDb: Database = {
    ...whole,
    ...timing(whole),
    transaction: (work) => whole.transaction((tx) => work({ ...tx, ...timing(tx) })),
  };
  const measure = async (work: () => Promise<void>) => {
    sumMs = 0;
    const before = await processorMsOf(serverPid);
    await work();
    return { wallMs: sumMs, processorMs: (await processorMsOf(serverPid)) - before };
  };
  return { db: timedDb, measure };
}

/** The first field of schedstat is the time on a processor, in nanoseconds. */
async function processorMsOf(pid: number): Promise<number> {
  const [onProcessorNs] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(onProcessorNs) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
