/**
 * What the API costs: processor time of a request, memory, sizes, and answers while workers are at work.
 *
 *   npm run bench:service [-- --write] [--file SONG] [--quick] [--before CHECKOUT]
 *
 * A started API and, where needed, workers, on an embedded PostgreSQL of their own; requests come over loopback from this process,
 * with a key. Processor time is that of the API process alone, threads included, from /proc: the database's is not in it. Every
 * figure stands beside its goal; --write puts the table into docs/benchmarks.md, --quick leaves out two hours of audio, streams and load.
 * With --before, the version of another built checkout is measured too, on a database of its own: requests in turns with this one, two
 * hours of audio while this one rests.
 */
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { once } from '../src/platform/once.ts';
import type { Database } from '../src/platform/postgres.ts';
import { openBenchDatabase } from './bench-database.ts';
import { type Figure, formatFigures, putIntoPage } from './benchmarks-page.ts';
import {
  cpuMs,
  OWN_PROGRAM,
  openStreams,
  residentMegabytes,
  type Service,
  startDistantSource,
  startRole,
  treeMegabytes,
} from './service-process.ts';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    file: { type: 'string' },
    requests: { type: 'string', default: '1200' },
    quick: { type: 'boolean', default: false },
    before: { type: 'string' },
  },
});
/** MP3 frames stand for themselves: the sample song three times is one of four and a half minutes. */
const SAMPLE_SONG = 'examples/sample-song/two-doors-down.mp3';
const given = await readFile(options.file ?? SAMPLE_SONG);
const songBytes = options.file ? given : Buffer.concat([given, given, given]);
const REQUESTS = Number(options.requests);
const BATCHES = 12;
const LIST_SIZE = 50;
/** Of the sample song: two hours. */
const LONG_COPIES = 80;
const MEMORY_POLL_MS = 100;
const STREAMS = 2_000;
const PICK_UPS = 60;
/** Enough to be taken for an MP3. */
const CUT_BYTES = 20_000;
/** What the dashboard asks for to show a song (dashboard/src/song/song-requests.ts). */
const SONG_PAGE = [
  '',
  '/result?groups=rhythm,tonal,structure,waveform,loudness,content,tags&without=rhythm.onsets,content.voice_curve,waveform.finest',
  '/corrections',
];
const LOAD_SECONDS = 10;
/** The discard port of this machine: nobody listens, and nobody else is called. */
const NO_SONGS = 'http://127.0.0.1:9';

const figures: Figure[] = [];
const note = (
  name: string,
  value: number,
  unit: string,
  goal: number | null,
  before: number | null = null,
) => {
  figures.push({ name, value, unit, goal, before });
  console.error(
    `${value.toFixed(2).padStart(9)} ${unit.padEnd(3)} ${name}${goal === null ? '' : ` (goal ${goal})`}${before === null ? '' : `, before ${before.toFixed(2)}`}`,
  );
};

/** A version of the service with a database of its own, somebody who is registered there, and a song of theirs. */
type Version = {
  program: string;
  dataDir: string;
  db: Database;
  service: Service;
  headers: Record<string, string>;
  song: string;
  close(): Promise<void>;
};

/** What is open, to be closed however this ends. */
const closers: (() => Promise<void>)[] = [];
try {
  const own = await startVersion(OWN_PROGRAM, measureFirstSong);
  const before = options.before
    ? await startVersion(join(options.before, 'server/dist/earshot.js'), (version) =>
        withWorker(version, () => analyseSong(version)),
      )
    : null;
  await measureRequests(own, before);
  await measureSizes(own);
  const longBefore = before && !options.quick ? await hearLongSong(before) : null;
  await before?.close();
  if (!options.quick) {
    await measureStreams(own);
    await measureUnderLoad(own);
    // Last: a file of a hundred megabytes leaves its traces in the memory of the API.
    await measureLongSong(own, longBefore);
  }
  const text = formatFigures(figures, { requests: REQUESTS, batches: BATCHES, load: loadavg()[0]! });
  console.log(text);
  if (options.write) await putIntoPage('service', text);
} finally {
  for (const close of closers) await close();
}

async function startVersion(
  program: string,
  firstSong: (version: Opened) => Promise<string>,
): Promise<Version> {
  const {
    dataDir,
    db,
    close: closeDatabase,
  } = await openBenchDatabase({
    level: 'warn',
    migrated: program === OWN_PROGRAM,
  });
  const service = await startRole('serve', dataDir, program);
  const close = once(async () => {
    await service.stop();
    await closeDatabase();
  });
  closers.push(close);
  const version = { program, dataDir, db, service, headers: await register(service), close };
  const song = await firstSong(version);
  await db.query('update credit_balances set granted = 1000000');
  return { ...version, song };
}

async function register({ url }: Service): Promise<Record<string, string>> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com' }),
  });
  const { api_key: key } = (await response.json()) as { api_key: string };
  return { 'x-api-key': key, 'accept-encoding': 'gzip' };
}

async function uploadSong(
  { url }: Service,
  headers: Record<string, string>,
  bytes = songBytes,
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'song.mp3');
  const response = await fetch(`${url}/v1/analyze/upload`, { method: 'POST', headers, body: form });
  const { job_id: id } = (await response.json()) as { job_id: string };
  return id;
}

type Opened = Omit<Version, 'song'>;

/** A worker that goes again. */
async function withWorker<T>(
  { dataDir, program }: Opened,
  work: (worker: Service) => Promise<T>,
): Promise<T> {
  const worker = await startRole('work', dataDir, program);
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

async function analyseSong({ service, headers }: Opened): Promise<string> {
  const id = await uploadSong(service, headers);
  const { status } = await waitForEnd(service, headers, id);
  if (status !== 'completed') throw new Error('The song was not analysed');
  return id;
}

/** What API and worker take when they have nothing to do, and how soon a worker begins. */
async function measureFirstSong(version: Opened): Promise<string> {
  note('API, idle: memory', await residentMegabytes(version.service.pid), 'MB', 120);
  return withWorker(version, async (worker) => {
    await delay(1_000);
    note('worker, idle: memory', await residentMegabytes(worker.pid), 'MB', 150);
    const song = await analyseSong(version);
    await measurePickUps(version);
    return song;
  });
}

type EndedJob = { status: string; created_at: string; started_at: string };

async function waitForEnd({ url }: Service, headers: Record<string, string>, id: string): Promise<EndedJob> {
  for (;;) {
    const response = await fetch(`${url}/v1/analyses/${id}`, { headers: { ...headers, prefer: 'wait=30' } });
    const job = (await response.json()) as EndedJob;
    if (job.status === 'completed' || job.status === 'failed') return job;
  }
}

/** From the row to the worker that has begun with it, one after another; the beginning of a song is soon told to be cut. */
async function measurePickUps({ service, headers }: Opened): Promise<void> {
  const pickUpsMs: number[] = [];
  for (let upload = 0; upload < PICK_UPS; upload++) {
    const id = await uploadSong(service, headers, songBytes.subarray(0, CUT_BYTES + upload));
    const { created_at, started_at } = await waitForEnd(service, headers, id);
    pickUpsMs.push(Date.parse(started_at) - Date.parse(created_at));
  }
  const p95 = pickUpsMs.toSorted((a, b) => a - b)[Math.ceil(0.95 * PICK_UPS) - 1]!;
  note('pick-up by an idle worker: p95', p95, 'ms', 50);
}

type Ask = {
  path: string;
  method?: string;
  body?: () => string;
  headers?: Record<string, string>;
  status?: number;
};

/** V8 has compiled what a request runs after some thousand of them; a service that has been up for a minute is past that. */
const WARM_UP_REQUESTS = 1_000;

/** A kind of request, and what one of it took in each batch, version by version. */
type Kind = { name: string; goalMs: number | null; asks: Ask[]; batchesMs: number[][] };

/**
 * The best batch of each kind, since a machine with other work only adds to it. Batches take turns, kind after kind and version after version:
 * slow seconds then fall on all of them.
 */
async function measureKinds(versions: readonly Version[], kinds: readonly Kind[]): Promise<void> {
  for (const { asks } of kinds)
    for (const [index, version] of versions.entries()) await send(version, asks[index]!, WARM_UP_REQUESTS);
  const batchRequests = REQUESTS / BATCHES;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    for (const { asks, batchesMs } of kinds) {
      for (const [index, version] of versions.entries()) {
        const startMs = await cpuMs(version.service.pid);
        await send(version, asks[index]!, batchRequests);
        batchesMs[index]!.push(((await cpuMs(version.service.pid)) - startMs) / batchRequests);
      }
    }
  }
}

async function send({ service, headers }: Version, ask: Ask, times: number): Promise<void> {
  const { path, method = 'GET', body, status = 200 } = ask;
  for (let time = 0; time < times; time += 1) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...headers, ...ask.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: body() } : {}),
    });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path}: ${response.status}`);
  }
}

async function measureRequests(version: Version, earlier: Version | null): Promise<void> {
  const versions = earlier === null ? [version] : [version, earlier];
  const tags = new Map<Version, string>();
  for (const one of versions) {
    const { headers } = await fetch(`${one.service.url}${resultOf(one)}`, { headers: one.headers });
    tags.set(one, headers.get('etag')!);
  }
  const kind = (name: string, goalMs: number | null, askOf: (version: Version) => Ask): Kind => ({
    name,
    goalMs,
    asks: versions.map(askOf),
    batchesMs: versions.map(() => []),
  });
  let sequence = 0;
  const kinds = [
    kind('submit by address', 4, () => ({
      path: '/v1/analyses',
      method: 'POST',
      body: () => JSON.stringify({ source_url: `${NO_SONGS}/${sequence++}.mp3` }),
      status: 202,
    })),
    kind('job read', 1, ({ song }) => ({ path: `/v1/analyses/${song}` })),
    kind(`list of ${LIST_SIZE}`, 2, () => ({ path: `/v1/analyses?limit=${LIST_SIZE}` })),
    kind('whole result, packed', null, (one) => ({ path: resultOf(one) })),
    kind('result that has not changed (304)', null, (one) => ({
      path: resultOf(one),
      headers: { 'if-none-match': tags.get(one)! },
      status: 304,
    })),
    kind('report as PDF', 100, ({ song }) => ({ path: `/v1/analyses/${song}/artifacts/report.pdf` })),
  ];
  await measureKinds(versions, kinds);
  for (const { name, goalMs, batchesMs } of kinds) {
    const [ownMs, beforeMs = null] = batchesMs.map((times) => Math.min(...times));
    note(`${name}: processor time`, ownMs!, 'ms', goalMs, beforeMs);
  }
}

type LongSong = { peakMb: number; workerMs: number };

async function measureLongSong(version: Version, before: LongSong | null): Promise<void> {
  const own = await hearLongSong(version);
  note('two hours of audio: memory of worker, engine and decoder', own.peakMb, 'MB', 300, before?.peakMb);
  note('two hours of audio: processor time of the worker itself', own.workerMs, 'ms', null, before?.workerMs);
}

/** The most memory that a worker and its children have at one moment, and what it computes without them. */
async function hearLongSong(version: Version): Promise<LongSong> {
  const { db, service, headers } = version;
  await dropJobs(db);
  const sample = await readFile(SAMPLE_SONG);
  const bytes = Buffer.concat(Array.from({ length: LONG_COPIES }, () => sample));
  return withWorker(version, async (worker) => {
    const startMs = await cpuMs(worker.pid);
    const id = await uploadSong(service, headers, bytes);
    let peakMb = 0;
    const look = async () => {
      peakMb = Math.max(peakMb, await treeMegabytes(worker.pid));
    };
    const timer = setInterval(() => void look(), MEMORY_POLL_MS);
    const { status } = await waitForEnd(service, headers, id);
    clearInterval(timer);
    if (status !== 'completed') throw new Error('Two hours were not analysed');
    return { peakMb, workerMs: (await cpuMs(worker.pid)) - startMs };
  });
}

/** What was measured before has left them: addresses at which nobody answers, above all, and workers that only fail do not listen. */
async function dropJobs(db: Database): Promise<void> {
  await db.query('delete from jobs');
}

function resultOf({ song }: Version): string {
  return `/v1/analyses/${song}/result`;
}

async function measureSizes({ db, service, headers, song }: Version): Promise<void> {
  const stored = await db.one<{ result: number; visuals: number }>(
    `select pg_column_size(summary) + pg_column_size(sections) + pg_column_size(packed_groups) as result,
       pg_column_size(visuals) as visuals from analysis_results`,
  );
  note('result in the database', stored.result / 1000, 'kB', 40);
  note('its pictures and the sounds of its segments', stored.visuals / 1000, 'kB', null);
  const bytes = await Promise.all(
    SONG_PAGE.map((path) => sentBytes(`${service.url}/v1/analyses/${song}${path}`, headers)),
  );
  note('song page: its data, packed', bytes.reduce((sum, part) => sum + part) / 1000, 'kB', 60);
  const whole = await sentBytes(`${service.url}/v1/analyses/${song}/result`, headers);
  note('whole result, packed', whole / 1000, 'kB', null);
}

async function sentBytes(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}

async function measureStreams({ service, headers, song }: Version): Promise<void> {
  const queued = await fetch(`${service.url}/v1/analyses?status=queued&limit=1`, { headers });
  const [job] = (await queued.json()) as { id: string }[];
  const close = await openStreams(service, headers, job?.id ?? song, STREAMS);
  await delay(2_000);
  note(`API with ${STREAMS} idle event streams: memory`, await residentMegabytes(service.pid), 'MB', 200);
  close();
}

/** Requests sent when they are due and not when there is room, while two workers are never without a song. */
async function measureUnderLoad({ db, dataDir, service, headers, song }: Version): Promise<void> {
  await dropJobs(db);
  for (let copy = 0; copy < 12; copy += 1) await uploadSong(service, headers);
  const distant = await startDistantSource(songBytes);
  const workers = await Promise.all([startRole('work', dataDir), startRole('work', dataDir)]);
  const submitTo = (base: string) => (index: number) =>
    fetch(`${service.url}/v1/analyses`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ source_url: `${base}/load-${index}.mp3` }),
    });
  try {
    const reads = () => fetch(`${service.url}/v1/analyses/${song}`, { headers });
    await measureLoad('200 reads a second', 200, 100, reads);
    await measureLoad('50 submits a second', 50, 250, submitTo(distant.url));
    await measureLoad(
      '50 submits a second of addresses at which nobody answers',
      50,
      null,
      submitTo(NO_SONGS),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    distant.close();
  }
}

async function measureLoad(
  name: string,
  perSecond: number,
  goalMs: number | null,
  ask: (index: number) => Promise<Response>,
): Promise<void> {
  const timesMs: number[] = [];
  let refused = 0;
  const pending: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < LOAD_SECONDS * perSecond; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
    pending.push(
      ask(index).then(async (response) => {
        await response.arrayBuffer();
        if (!response.ok) refused += 1;
        timesMs.push(performance.now() - dueMs);
      }),
    );
  }
  await Promise.all(pending);
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.ceil(timesMs.length * share) - 1]!;
  note(`${name} beside two busy workers: p50`, at(0.5), 'ms', null);
  note(`${name} beside two busy workers: p99`, at(0.99), 'ms', goalMs);
  note(`${name} beside two busy workers: refused`, refused, '', 0);
}
