/**
 * Measures the cost of the API: processor time per request, memory, sizes, and response times while workers are busy.
 *
 *   npm run bench:service [-- --write] [--file SONG] [--requests 1200] [--quick] [--before CHECKOUT]
 *
 * Starts an API and, where needed, workers with their own embedded PostgreSQL, and sends requests over loopback with an API key. Processor
 * time is that of a process and its threads, from /proc. --write puts the table into docs/benchmarks.md; --quick leaves out two hours of
 * audio, streams and load. With --before, another built checkout is measured too, with its own database: requests alternate with this
 * version's, and it analyses two hours of audio while this version is idle.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { replaceSection } from '../../scripts/replace-section.mjs';
import { BENCHMARKS_PAGE, type Figure, formatFigures, type Note } from './benchmarks-page.ts';
import { measureStreams, measureUnderLoad } from './service-load.ts';
import { cpuMsOf, OWN_PROGRAM, residentMegabytes, treeMegabytes } from './service-process.ts';
import { BATCH_COUNT, measureRequests } from './service-requests.ts';
import {
  analyseSong,
  dropJobs,
  type StartedVersion,
  startVersion,
  uploadSong,
  type Version,
  waitForEnd,
  withWorker,
} from './service-version.ts';

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    file: { type: 'string' },
    requests: { type: 'string', default: '1200' },
    quick: { type: 'boolean', default: false },
    before: { type: 'string' },
  },
});
const SAMPLE_SONG = 'examples/sample-song/two-doors-down.mp3';
/** MP3 frames can be concatenated: three times the sample song is a song of four and a half minutes. */
const given = await readFile(options.file ?? SAMPLE_SONG);
const songBytes = options.file ? given : Buffer.concat([given, given, given]);
const REQUEST_COUNT = Number(options.requests);
/** Of the sample song, to make two hours. */
const LONG_SONG_COPIES = 80;
/** Lets the garbage of starting a worker be collected. */
const SETTLE_MS = 1_000;
/** Short compared with the stages of an analysis. */
const MEMORY_POLL_MS = 100;
/** Enough for a p95. */
const PICK_UP_COUNT = 60;
/** Enough to be recognised as an MP3; analysing so little fails soon. */
const CUT_BYTES = 20_000;
/** What the dashboard requests to show a song (dashboard/src/song/song-requests.ts). */
const SONG_PAGE_PATHS = [
  '',
  '/result?groups=rhythm,tonal,structure,waveform,loudness,content,tags&without=rhythm.onsets,content.voice_curve,waveform.finest',
  '/corrections',
];

const figures: Figure[] = [];
const note: Note = (name, value, unit, goal, before = null) => {
  figures.push({ name, value, unit, goal, before });
  console.error(
    `${value.toFixed(2).padStart(9)} ${unit.padEnd(3)} ${name}${goal === null ? '' : ` (goal ${goal})`}${before === null ? '' : `, before ${before.toFixed(2)}`}`,
  );
};

// A regular exit kills the started processes (startRole), which would outlive a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** To close even after an error. */
const opened: Version[] = [];
const open = async (...args: Parameters<typeof startVersion>) => {
  const version = await startVersion(...args);
  opened.push(version);
  return version;
};
try {
  const own = await open(OWN_PROGRAM, measureFirstSong);
  const before = options.before
    ? await open(join(options.before, 'server/dist/earshot.js'), (version) =>
        withWorker(version, () => analyseSong(version, songBytes)),
      )
    : null;
  await measureRequests(own, before, { requestCount: REQUEST_COUNT, note });
  await measureSizes(own);
  const longBefore = before && !options.quick ? await analyseLongSong(before) : null;
  await before?.close();
  if (!options.quick) {
    await measureStreams(own, note);
    await measureUnderLoad(own, songBytes, note);
    // Last, because an upload of a hundred megabytes raises the memory of the API.
    await measureLongSong(own, longBefore);
  }
  const run = { requestCount: REQUEST_COUNT, batchCount: BATCH_COUNT };
  const machine = { loadAverage: loadavg()[0]!, coreCount: availableParallelism() };
  const text = formatFigures(figures, { ...run, ...machine });
  console.log(text);
  if (options.write) replaceSection(BENCHMARKS_PAGE, 'service', text);
} finally {
  for (const { close } of opened) await close();
}

/** Records the idle memory of API and worker and the pick-up time of a worker; returns the id of a song it analysed. */
async function measureFirstSong(version: StartedVersion): Promise<string> {
  note('API, idle: memory', await residentMegabytes(version.service.pid), 'MB', 120);
  return withWorker(version, async (worker) => {
    await delay(SETTLE_MS);
    note('worker, idle: memory', await residentMegabytes(worker.pid), 'MB', 150);
    const song = await analyseSong(version, songBytes);
    await measurePickUps(version);
    return song;
  });
}

/** Measures the time from the creation of an analysis to the start of its attempt, one upload after another. */
async function measurePickUps(version: StartedVersion): Promise<void> {
  const pickUpsMs: number[] = [];
  for (let upload = 0; upload < PICK_UP_COUNT; upload++) {
    const id = await uploadSong(version, songBytes.subarray(0, CUT_BYTES + upload));
    const { created_at, started_at } = await waitForEnd(version, id);
    pickUpsMs.push(Date.parse(started_at) - Date.parse(created_at));
  }
  const p95 = pickUpsMs.toSorted((a, b) => a - b)[Math.ceil(0.95 * PICK_UP_COUNT) - 1]!;
  note('pick-up by an idle worker: p95', p95, 'ms', 50);
}

type LongSong = { peakMb: number; workerMs: number };

async function measureLongSong(version: Version, before: LongSong | null): Promise<void> {
  const own = await analyseLongSong(version);
  note('two hours of audio: memory of worker, engine and decoder', own.peakMb, 'MB', 300, before?.peakMb);
  note('two hours of audio: processor time of the worker itself', own.workerMs, 'ms', null, before?.workerMs);
}

/** Peak memory of a worker and its children together, and the processor time of the worker without them. */
async function analyseLongSong(version: Version): Promise<LongSong> {
  await dropJobs(version);
  const sample = await readFile(SAMPLE_SONG);
  const bytes = Buffer.concat(Array.from({ length: LONG_SONG_COPIES }, () => sample));
  return withWorker(version, async (worker) => {
    const startMs = await cpuMsOf(worker.pid);
    const id = await uploadSong(version, bytes);
    let peakMb = 0;
    const recordMemory = async () => {
      peakMb = Math.max(peakMb, await treeMegabytes(worker.pid));
    };
    // Does not keep the bench alive after an error below.
    const timer = setInterval(() => void recordMemory(), MEMORY_POLL_MS).unref();
    const { status } = await waitForEnd(version, id);
    clearInterval(timer);
    if (status !== 'completed') throw new Error('The two hours of audio were not analysed');
    return { peakMb, workerMs: (await cpuMsOf(worker.pid)) - startMs };
  });
}

async function measureSizes({ db, service, headers, song }: Version): Promise<void> {
  const stored = await db.one<{ result: number; visuals: number }>(
    `select pg_column_size(summary) + pg_column_size(sections) + pg_column_size(packed_groups) as result,
       pg_column_size(visuals) as visuals from analysis_results`,
  );
  note('result in the database', stored.result / 1000, 'kB', 40);
  note('its images and the sounds of its segments', stored.visuals / 1000, 'kB', null);
  const bytes = await Promise.all(
    SONG_PAGE_PATHS.map((path) => sentBytes(`${service.url}/v1/analyses/${song}${path}`, headers)),
  );
  note('song page: its data, compressed', bytes.reduce((sum, part) => sum + part) / 1000, 'kB', 60);
  const whole = await sentBytes(`${service.url}/v1/analyses/${song}/result`, headers);
  note('whole result, compressed', whole / 1000, 'kB', null);
}

async function sentBytes(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}
