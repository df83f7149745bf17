import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UploadQueue } from './upload-queue.ts';

/** Files on their way to storage, which arrive when the test says so. */
let sending: { name: string; url: string; aborted: boolean; arrive: () => void }[];
let asked: string[];
let quotaLeft: number;
/** Analyses go on until the test is over, and are deleted then. */
let isOver: Promise<void>;
let end: () => void;
let queue: UploadQueue;

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  sending = [];
  asked = [];
  quotaLeft = 100;
  isOver = new Promise((resolve) => {
    end = resolve;
  });
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      readonly upload = {};
      readonly status = 200;
      readonly responseText = '';
      onload = () => {};
      onabort = () => {};
      readonly #sent = { name: '', url: '', aborted: false, arrive: () => this.onload() };
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
  vi.stubGlobal('fetch', async (url: URL | string, { method }: { method: string }) => {
    const { pathname } = new URL(url);
    asked.push(`${method} ${pathname}`);
    if (method === 'GET' && pathname === '/v1/analyses') return Response.json([]);
    if (method === 'GET') return isOver.then(() => Response.json({ detail: 'Deleted.' }, { status: 404 }));
    if (pathname === '/v1/storage-objects')
      return Response.json({
        id: `object_${asked.length}`,
        signed_url: `http://named.test/slot/${asked.length}?signature=1`,
      });
    return quotaLeft-- > 0
      ? Response.json({ id: `job_${asked.length}` }, { status: 202 })
      : Response.json({ detail: 'Used up.', code: 'quota_exceeded' }, { status: 402 });
  });
});

/** Longer than the busiest machine needs. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

afterEach(async () => {
  end();
  await until(() => expect(statesOf(queue).join()).not.toContain('analysing'));
  vi.unstubAllGlobals();
});

/** Four songs, each another: three travel at once, the last one waits. */
async function sendFour(): Promise<void> {
  const { UploadQueue } = await import('./upload-queue.ts');
  queue = new UploadQueue();
  queue.addFiles(['a', 'b', 'c', 'd'].map((name) => new File([`RIFF0000WAVE${name}`], `${name}.wav`)));
  await until(() => expect(sending).toHaveLength(3));
}

const statesOf = (queue: UploadQueue) => queue.read().map(({ name, state }) => `${name} ${state}`);
/** They set out in any order: each is hashed first. */
const arrive = (name: string) => sending.find((sent) => sent.name === name)!.arrive();
const idOf = (queue: UploadQueue, name: string) => queue.read().find((upload) => upload.name === name)!.id;

it('sends files to the address that the page has, by whichever name the service calls itself', async () => {
  await sendFour();
  for (const { url } of sending) expect(url).toMatch(/^\/slot\/\d+\?signature=1$/);
});

it('takes one that waits out of the queue: it is never sent', async () => {
  await sendFour();
  queue.cancel(idOf(queue, 'd.wav'));
  expect(statesOf(queue)).toEqual(['a.wav sending', 'b.wav sending', 'c.wav sending']);
  for (const file of sending) file.arrive();
  await until(() =>
    expect(statesOf(queue)).toEqual(['a.wav analysing', 'b.wav analysing', 'c.wav analysing']),
  );
  expect(sending).toHaveLength(3);
});

it('aborts one that is under way, analyses nothing of it, and sends the next in its place', async () => {
  await sendFour();
  queue.cancel(idOf(queue, 'b.wav'));
  await until(() => expect(statesOf(queue)).toEqual(['a.wav sending', 'c.wav sending', 'd.wav sending']));
  await until(() => expect(sending).toHaveLength(4));
  expect(sending.filter(({ aborted }) => aborted).map(({ name }) => name)).toEqual(['b.wav']);
  expect(asked.filter((question) => question.endsWith('/analyses') && question.startsWith('POST'))).toEqual(
    [],
  );
});

it('what has arrived is analysed, and no longer to be taken back here', async () => {
  await sendFour();
  arrive('a.wav');
  await until(() => expect(statesOf(queue)[0]).toBe('a.wav analysing'));
  queue.cancel(idOf(queue, 'a.wav'));
  expect(statesOf(queue)[0]).toBe('a.wav analysing');
});

it('sends one of two that are alike, names the song to the other, and sends that too when told', async () => {
  const { UploadQueue } = await import('./upload-queue.ts');
  queue = new UploadQueue();
  const alike = (name: string) => new File(['RIFF0000WAVE'], name);
  queue.addFiles([alike('a.wav'), alike('b.wav')]);
  // Both are hashed at once: whichever is known first is sent.
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
  queue.addFiles([alike('c.wav')]);
  await until(() => expect(statesOf(queue)[2]).toBe('c.wav duplicate'));
  expect(queue.read()[2]!.jobId).toBe(songSent().jobId);
  queue.sendAgain(idOf(queue, 'c.wav'), { allowDuplicate: true });
  await until(() => expect(sending).toHaveLength(2));
});

it('refuses what is no sound with its reason, and sends nothing', async () => {
  const { UploadQueue } = await import('./upload-queue.ts');
  queue = new UploadQueue();
  queue.addFiles([new File([], 'empty.mp3'), new File(['hello'], 'notes.txt')]);
  await until(() => expect(statesOf(queue)).toEqual(['empty.mp3 refused', 'notes.txt refused']));
  expect(queue.read().map(({ problem }) => problem)).toEqual([
    'This file is empty.',
    'This is not an audio file.',
  ]);
  expect(asked).toEqual([]);
});

it('once the month is used up, songs that wait are refused and not sent', async () => {
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
