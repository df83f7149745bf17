/** The API with many open event streams, and under load beside busy workers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Note } from './benchmarks-page.ts';
import { openStreams, residentMegabytes, startWorker } from './service-process.ts';
import { UNREACHABLE_SOURCE } from './service-requests.ts';
import { dropJobs, uploadSong, type Version } from './service-version.ts';
import { startSlowSource } from './slow-source.ts';

/** More listeners than one process is expected to have. */
const STREAM_COUNT = 2_000;
const LOAD_SECONDS = 10;
const SETTLE_MS = 2_000;
/** More than two workers can analyse during the load. */
const WAITING_SONG_COUNT = 12;

export async function measureStreams({ service, headers, song }: Version, note: Note): Promise<void> {
  const queued = await fetch(`${service.url}/v1/analyses?status=queued&limit=1`, { headers });
  const [job] = (await queued.json()) as { id: string }[];
  const close = await openStreams(service, headers, job?.id ?? song, STREAM_COUNT);
  // Lets the garbage of opening the streams be collected.
  await delay(SETTLE_MS);
  note(
    `API with ${STREAM_COUNT} idle event streams: memory`,
    await residentMegabytes(service.pid),
    'MB',
    200,
  );
  close();
}

/** Sends requests at a fixed rate, whether or not earlier ones were answered, while two workers are kept busy. */
export async function measureUnderLoad(
  version: Version,
  songBytes: Buffer<ArrayBuffer>,
  note: Note,
): Promise<void> {
  const { dataDir, service, headers, song } = version;
  await dropJobs(version);
  for (let copy = 0; copy < WAITING_SONG_COUNT; copy += 1) await uploadSong(version, songBytes);
  const distant = await startSlowSource(songBytes);
  const workers = await Promise.all([startWorker(dataDir), startWorker(dataDir)]);
  const submitTo = (base: string) => (index: number) =>
    fetch(`${service.url}/v1/analyses`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ source_url: `${base}/load-${index}.mp3` }),
    });
  try {
    const reads = () => fetch(`${service.url}/v1/analyses/${song}`, { headers });
    await measureLoad(note, { name: '200 reads a second', perSecond: 200, goalMs: 100, ask: reads });
    await measureLoad(note, {
      name: '50 submits a second',
      perSecond: 50,
      goalMs: 250,
      ask: submitTo(distant.url),
    });
    const name = '50 submits a second of unreachable addresses';
    await measureLoad(note, { name, perSecond: 50, goalMs: null, ask: submitTo(UNREACHABLE_SOURCE) });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    distant.close();
  }
}

async function measureLoad(
  note: Note,
  load: {
    name: string;
    perSecond: number;
    goalMs: number | null;
    ask: (index: number) => Promise<Response>;
  },
): Promise<void> {
  const { name, perSecond, goalMs, ask } = load;
  const timesMs: number[] = [];
  let refusedCount = 0;
  const pending: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < LOAD_SECONDS * perSecond; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
    pending.push(
      ask(index).then(async (response) => {
        await response.arrayBuffer();
        if (!response.ok) refusedCount += 1;
        timesMs.push(performance.now() - dueMs);
      }),
    );
  }
  await Promise.all(pending);
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.ceil(timesMs.length * share) - 1]!;
  note(`${name} beside two busy workers: p50`, at(0.5), 'ms', null);
  note(`${name} beside two busy workers: p99`, at(0.99), 'ms', goalMs);
  note(`${name} beside two busy workers: refused`, refusedCount, 'requests', 0);
}
