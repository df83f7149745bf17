import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UploadQueue } from './upload-queue.ts';

/** Files on their way to storage, which arrive when the test says so. */
let sending: { url: string; aborted: boolean; arrive: () => void }[];
let asked: string[];

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  sending = [];
  asked = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      readonly upload = {};
      readonly status = 200;
      readonly responseText = '';
      onload = () => {};
      onabort = () => {};
      readonly #sent = { url: '', aborted: false, arrive: () => this.onload() };
      open(_: string, url: string) {
        this.#sent.url = url;
      }
      setRequestHeader() {}
      send() {
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
    if (method === 'GET') return Response.json([]);
    return pathname === '/v1/storage-objects'
      ? Response.json({ id: `object_${asked.length}`, signed_url: `/slot/${asked.length}` })
      : Response.json({ id: `job_${asked.length}` }, { status: 202 });
  });
});

afterEach(() => vi.unstubAllGlobals());

/** Four songs, each another: three travel at once, the last one waits. */
async function sendFour(): Promise<UploadQueue> {
  const { UploadQueue } = await import('./upload-queue.ts');
  const queue = new UploadQueue();
  queue.addFiles(['a', 'b', 'c', 'd'].map((name) => new File([`RIFF0000WAVE${name}`], `${name}.wav`)));
  await vi.waitFor(() => expect(sending).toHaveLength(3));
  return queue;
}

const statesOf = (queue: UploadQueue) => queue.read().map(({ name, state }) => `${name} ${state}`);
const idOf = (queue: UploadQueue, name: string) => queue.read().find((upload) => upload.name === name)!.id;

it('takes one that waits out of the queue: it is never sent', async () => {
  const queue = await sendFour();
  queue.cancel(idOf(queue, 'd.wav'));
  expect(statesOf(queue)).toEqual(['a.wav sending', 'b.wav sending', 'c.wav sending']);
  for (const file of sending) file.arrive();
  await vi.waitFor(() =>
    expect(statesOf(queue)).toEqual(['a.wav analysing', 'b.wav analysing', 'c.wav analysing']),
  );
  expect(sending).toHaveLength(3);
});

it('aborts one that is under way, analyses nothing of it, and sends the next in its place', async () => {
  const queue = await sendFour();
  queue.cancel(idOf(queue, 'b.wav'));
  await vi.waitFor(() =>
    expect(statesOf(queue)).toEqual(['a.wav sending', 'c.wav sending', 'd.wav sending']),
  );
  await vi.waitFor(() => expect(sending).toHaveLength(4));
  expect(sending.map(({ aborted }) => aborted)).toEqual([false, true, false, false]);
  expect(asked.filter((question) => question.endsWith('/analyses') && question.startsWith('POST'))).toEqual(
    [],
  );
});

it('what has arrived is analysed, and no longer to be taken back here', async () => {
  const queue = await sendFour();
  sending[0]!.arrive();
  await vi.waitFor(() => expect(statesOf(queue)[0]).toBe('a.wav analysing'));
  queue.cancel(idOf(queue, 'a.wav'));
  expect(statesOf(queue)[0]).toBe('a.wav analysing');
});
