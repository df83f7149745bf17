import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UploadQueue } from './upload-queue.ts';

/** Uploads to storage, which complete when the test calls `arrive`. */
let sending: {
  name: string;
  url: string;
  aborted: boolean;
  progress: (sentBytes: number, totalBytes: number) => void;
  arrive: () => void;
}[];
/** Method and path of each request to the service, and the bodies of the POSTs. */
let requests: string[];
let bodies: Record<string, unknown>[];
/** The library's response to requests for songs with a hash, and the hashes that were requested. */
let songsWithHash: { id: string }[];
let requestedHashes: (string | null)[];
let quotaLeft: number;
/** Analyses run until a test ends them; then their jobs are reported as deleted, or their events are these. */
let isOver: Promise<void>;
let events: string | null;
let end: () => void;
let queue: UploadQueue;

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  sending = [];
  requests = [];
  bodies = [];
  songsWithHash = [];
  requestedHashes = [];
  quotaLeft = 100;
  events = null;
  isOver = new Promise((resolve) => {
    end = resolve;
  });
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      readonly upload = { onprogress: (_: object) => {} };
      readonly status = 200;
      readonly responseText = '';
      onload = () => {};
      onabort = () => {};
      readonly #sent = {
        name: '',
        url: '',
        aborted: false,
        progress: (loaded: number, total: number) =>
          this.upload.onprogress({ lengthComputable: true, loaded, total }),
        arrive: () => this.onload(),
      };
      open(_method: string, url: string) {
        this.#sent.url = url;
      }
      setRequestHeader() {}
      send({ name }: File) {
        this.#sent.name = name;
        sending.push(this.#sent);
      }
      abort() {
        this.#sent.aborted = true;
        this.onabort();
      }
    },
  );
  vi.stubGlobal('fetch', async (url: URL | string, { method, body }: { method: string; body?: string }) => {
    const { pathname, searchParams } = new URL(url);
    if (method === 'POST') bodies.push(JSON.parse(body!));
    requests.push(`${method} ${pathname}`);
    if (method === 'GET' && pathname === '/v1/analyses') {
      requestedHashes.push(searchParams.get('sha256'));
      return Response.json(songsWithHash);
    }
    if (method === 'GET') await isOver;
    if (method === 'GET' && events === null) return Response.json({ detail: 'Deleted.' }, { status: 404 });
    if (method === 'GET')
      return pathname.endsWith('/events')
        ? new Response(events)
        : Response.json({ id: pathname.split('/')[3] });
    if (pathname === '/v1/storage-objects')
      return Response.json({
        id: `object_${requests.length}`,
        signed_url: `http://named.test/slot/${requests.length}?signature=1`,
      });
    return quotaLeft-- > 0
      ? Response.json({ id: `job_${requests.length}` }, { status: 202 })
      : Response.json({ detail: 'Used up.', code: 'quota_exceeded' }, { status: 402 });
  });
});

/** Generous, so that a busy machine does not fail the test. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

afterEach(async () => {
  end();
  await until(() => expect(statesOf(queue).join()).not.toContain('analysing'));
  vi.unstubAllGlobals();
});

/** Imported once `window` is there. */
async function createQueue(): Promise<UploadQueue> {
  const { UploadQueue } = await import('./upload-queue.ts');
  return new UploadQueue();
}
const HEAD = 'RIFF0000WAVE';

/** Four different songs: three are sent at once, the fourth waits. */
async function sendFour(): Promise<void> {
  queue = await createQueue();
  queue.addFiles(['a', 'b', 'c', 'd'].map((name) => new File([`${HEAD}${name}`], `${name}.wav`)));
  await until(() => expect(sending).toHaveLength(3));
}

const statesOf = (queue: UploadQueue) => queue.read().map(({ name, state }) => `${name} ${state}`);
/** The order of sending varies, because each file is hashed first. */
const arrive = (name: string) => sending.find((sent) => sent.name === name)!.arrive();
const idOf = (queue: UploadQueue, name: string) => queue.read().find((upload) => upload.name === name)!.id;

it('sends files to the origin of the page, whatever host the signed URL names', async () => {
  await sendFour();
  for (const { url } of sending) expect(url).toMatch(/^\/slot\/\d+\?signature=1$/);
});

it('never sends a waiting file that is cancelled', async () => {
  await sendFour();
  queue.cancel(idOf(queue, 'd.wav'));
  expect(statesOf(queue)).toEqual(['a.wav sending', 'b.wav sending', 'c.wav sending']);
  for (const file of sending) file.arrive();
  await until(() =>
    expect(statesOf(queue)).toEqual(['a.wav analysing', 'b.wav analysing', 'c.wav analysing']),
  );
  expect(sending).toHaveLength(3);
});

it('aborts the upload of a cancelled file, does not analyse it, and sends the next', async () => {
  await sendFour();
  queue.cancel(idOf(queue, 'b.wav'));
  await until(() => expect(statesOf(queue)).toEqual(['a.wav sending', 'c.wav sending', 'd.wav sending']));
  await until(() => expect(sending).toHaveLength(4));
  expect(sending.filter(({ aborted }) => aborted).map(({ name }) => name)).toEqual(['b.wav']);
  expect(requests.filter((request) => request === 'POST /v1/analyses')).toEqual([]);
});

it('analyses a file that has arrived, which can then no longer be cancelled', async () => {
  await sendFour();
  arrive('a.wav');
  await until(() => expect(statesOf(queue)[0]).toBe('a.wav analysing'));
  queue.cancel(idOf(queue, 'a.wav'));
  expect(statesOf(queue)[0]).toBe('a.wav analysing');
});

it('shows the progress of an upload, then of its analysis up to the end', async () => {
  queue = await createQueue();
  queue.addFiles([new File([HEAD], 'a.wav')]);
  await until(() => expect(sending).toHaveLength(1));
  const shown = () => queue.read()[0];
  expect(shown()).toMatchObject({ stage: 'Uploading', fraction: 0 });
  sending[0]!.progress(1, 4);
  expect(shown()).toMatchObject({ stage: 'Uploading', fraction: 0.25 });
  arrive('a.wav');
  await until(() => expect(shown()).toMatchObject({ state: 'analysing', stage: 'Queued', fraction: 0 }));
  const stages: string[] = [];
  queue.subscribe(() => stages.push(`${shown()!.state} ${shown()!.stage} ${shown()!.fraction}`));
  const frame = (id: string, event_type: string, metadata: object) =>
    `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify({ id, event_type, message: '', metadata })}\n\n`;
  events =
    frame('e1', 'analysis.progress', { stage: 'rhythm', progress: 0.8 }) + frame('e2', 'job.completed', {});
  end();
  await until(() => expect(stages.at(-1)).toBe('done Done 1'));
  expect(stages).toContain('analysing Rhythm 0.8');
  expect(shown()).toMatchObject({ problem: null, canRetry: false });
});

it('sends one of two identical files, names it for the other, and sends a duplicate on request', async () => {
  queue = await createQueue();
  const identical = (name: string) => new File([HEAD], name);
  queue.addFiles([identical('a.wav'), identical('b.wav')]);
  // Both are hashed at once, and the first to finish is sent.
  const states = () => queue.read().map(({ state }) => state);
  await until(() => expect(states().sort()).toEqual(['duplicate', 'sending']));
  const sent = queue.read().find(({ state }) => state === 'sending')!.name;
  const songSent = () => queue.read().find(({ name }) => name === sent)!;
  expect(queue.read().find(({ state }) => state === 'duplicate')).toMatchObject({
    stage: `The same as ${sent}`,
    jobId: null,
  });
  await until(() => expect(sending).toHaveLength(1));
  arrive(sent);
  await until(() => expect(songSent().jobId).not.toBeNull());
  queue.addFiles([identical('c.wav')]);
  await until(() => expect(statesOf(queue)[2]).toBe('c.wav duplicate'));
  expect(queue.read()[2]!.jobId).toBe(songSent().jobId);
  queue.sendAgain(idOf(queue, 'c.wav'), { allowDuplicate: true });
  await until(() => expect(sending).toHaveLength(2));
});

it('refuses files that are not audio with the reason, and sends nothing', async () => {
  queue = await createQueue();
  queue.addFiles([new File([], 'empty.mp3'), new File(['hello'], 'notes.txt')]);
  await until(() => expect(statesOf(queue)).toEqual(['empty.mp3 refused', 'notes.txt refused']));
  expect(queue.read().map(({ problem }) => problem)).toEqual([
    'This file is empty.',
    'This is not an audio file.',
  ]);
  expect(requests).toEqual([]);
});

it('once the quota is exceeded, waiting songs are refused without being sent', async () => {
  quotaLeft = 0;
  await sendFour();
  arrive('a.wav');
  await until(() =>
    expect(statesOf(queue)).toEqual(['a.wav refused', 'b.wav sending', 'c.wav sending', 'd.wav refused']),
  );
  expect(queue.read()[3]).toMatchObject({ problem: 'Used up.', canRetry: true, isQuotaExceeded: true });
  expect(sending).toHaveLength(3);
  quotaLeft = 1;
  queue.sendAgain(idOf(queue, 'd.wav'), { allowDuplicate: false });
  await until(() => expect(sending).toHaveLength(4));
  expect(queue.read()[3]).toMatchObject({ problem: null, isQuotaExceeded: false });
});

/** HEAD by sha256sum. */
const HEAD_SHA256 = '3bd4b526023a3158211405d1c6391501cea84cd62b7ad000a493740b03e14f81';

it('links a file to the song with the same hash in the library, and sends nothing', async () => {
  queue = await createQueue();
  songsWithHash = [{ id: 'job_known' }];
  queue.addFiles([new File([HEAD], 'a.wav')]);
  await until(() => expect(statesOf(queue)).toEqual(['a.wav duplicate']));
  expect(queue.read()[0]).toMatchObject({ jobId: 'job_known', stage: 'Already in the library' });
  expect([requestedHashes, sending]).toEqual([[HEAD_SHA256], []]);
});

it.each([
  [60_000_000, 1],
  [60_000_001, 0],
])('of a file of %d bytes, %d hashes are looked up', async (sizeBytes, hashCount) => {
  queue = await createQueue();
  queue.addFiles([new File([HEAD, new Uint8Array(sizeBytes - HEAD.length)], 'large.wav')]);
  await until(() => expect(sending).toHaveLength(1));
  expect(requestedHashes).toHaveLength(hashCount);
});

it('sends files without looking for duplicates where the browser cannot hash, as over plain HTTP', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  queue = await createQueue();
  queue.addFiles([new File([HEAD], 'a.wav'), new File([HEAD], 'b.wav')]);
  await until(() => expect(sending).toHaveLength(2));
  expect(requestedHashes).toEqual([]);
});

it('a failed upload can be tried again; the refusal of a file that is not audio is final', async () => {
  quotaLeft = 0;
  queue = await createQueue();
  queue.addUrl('https://a.example/song.mp3');
  queue.addFiles([new File(['hello'], 'notes.txt')]);
  await until(() => expect(queue.read().map(({ state }) => state)).toEqual(['refused', 'refused']));
  expect(queue.read().map(({ canRetry }) => canRetry)).toEqual([true, false]);
});

it.each([
  ['audio/flac', 'audio/flac'],
  ['video/mp4', 'video/mp4'],
  ['application/ogg', 'application/ogg'],
  ['video/quicktime', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('a file of type “%s” is stored as %s', async (type, content_type) => {
  queue = await createQueue();
  queue.addFiles([new File([HEAD], 'a.wav', { type })]);
  await until(() => expect(sending).toHaveLength(1));
  expect(bodies).toEqual([{ content_type, purpose: 'upload', file_name: 'a.wav' }]);
});

it('stores and submits a file with its name, cut to what the service accepts', async () => {
  queue = await createQueue();
  // The limit of 255 falls in the middle of the surrogate pair.
  const name = `${'x'.repeat(254)}🎵.wav`;
  queue.addFiles([new File([HEAD], name)]);
  await until(() => expect(sending).toHaveLength(1));
  arrive(name);
  await until(() => expect(bodies).toHaveLength(2));
  const file_name = 'x'.repeat(254);
  expect(bodies).toEqual([
    { content_type: 'application/octet-stream', purpose: 'upload', file_name },
    {
      storage_object_id: expect.stringMatching(/^object_/),
      metadata: { file_name },
      retain_source: true,
    },
  ]);
});

it('submits a URL without sending anything, and a reload would not lose it', async () => {
  queue = await createQueue();
  queue.addUrl('https://a.example/song.mp3');
  expect(queue.wouldLoseFiles).toBe(false);
  await until(() => expect(queue.read()[0]).toMatchObject({ state: 'analysing', jobId: 'job_1' }));
  expect(bodies).toEqual([{ source_url: 'https://a.example/song.mp3', retain_source: true }]);
  expect(sending).toEqual([]);
});

it('a reload would lose a file until its analysis is known to exist', async () => {
  queue = await createQueue();
  expect(queue.wouldLoseFiles).toBe(false);
  const losses = new Map<string, boolean>();
  queue.subscribe(() => {
    const { state, jobId } = queue.read()[0]!;
    losses.set(`${state}, ${jobId === null ? 'not yet submitted' : 'submitted'}`, queue.wouldLoseFiles);
  });
  queue.addFiles([new File([HEAD], 'a.wav')]);
  await until(() => expect(sending).toHaveLength(1));
  arrive('a.wav');
  await until(() => expect(queue.read()[0]!.jobId).not.toBeNull());
  expect([...losses]).toEqual([
    ['waiting, not yet submitted', true],
    ['sending, not yet submitted', true],
    ['analysing, not yet submitted', true],
    ['analysing, submitted', false],
  ]);
});

it('announces the end of an analysis to listeners until they unsubscribe', async () => {
  queue = await createQueue();
  const finished = vi.fn();
  const unsubscribed = vi.fn();
  queue.onFinished(finished);
  queue.onFinished(unsubscribed)();
  queue.addUrl('https://a.example/song.mp3');
  await until(() => expect(queue.read()[0]!.jobId).not.toBeNull());
  expect(finished).not.toHaveBeenCalled();
  end();
  await until(() => expect(queue.read()[0]).toMatchObject({ state: 'refused', problem: 'Deleted.' }));
  expect(finished).toHaveBeenCalledTimes(1);
  expect(unsubscribed).not.toHaveBeenCalled();
});

it('clearing removes finished uploads and keeps the others', async () => {
  queue = await createQueue();
  queue.addFiles([new File(['hello'], 'notes.txt'), new File([HEAD], 'a.wav')]);
  await until(() => expect(statesOf(queue)).toEqual(['notes.txt refused', 'a.wav sending']));
  queue.clearFinished();
  expect(statesOf(queue)).toEqual(['a.wav sending']);
});
