import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atLeastRate } from './at-least-rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TOO_SLOW = { reason: 'timeout', message: 'The server sends too slowly' };

/** A server that sends so many bytes every so often, `times` times, and then nothing until it is discarded. */
function serve(server: { bytes: number; everyMs: number; times: number; ends: boolean }) {
  let discard = () => {};
  const discarded = new Promise<void>((resolve) => {
    discard = resolve;
  });
  async function* send() {
    for (let sent = 0; sent < server.times; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, server.everyMs));
      yield new Uint8Array(server.bytes);
    }
    if (server.ends) return;
    await discarded;
    throw new Error('The connection was closed');
  }
  return { body: send(), discard };
}

async function readFor(ms: number, server: Parameters<typeof serve>[0]) {
  const outcome = Readable.from(atLeastRate(serve(server)))
    .toArray()
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(ms);
  return outcome;
}

it('gives up a server that sends something and then nothing', async () => {
  const server = { bytes: 1_000_000, everyMs: 1, times: 1, ends: false };
  expect(await readFor(30_001, server)).toMatchObject(TOO_SLOW);
});

it('gives up a server that drips', async () => {
  const server = { bytes: 1_000, everyMs: 10_000, times: 100, ends: true };
  expect(await readFor(30_000, server)).toMatchObject(TOO_SLOW);
});

it('reads a slow server to its end', async () => {
  const server = { bytes: 500_000, everyMs: 25_000, times: 4, ends: true };
  expect(await readFor(100_000, server)).toHaveLength(4);
});

it('does not blame the server for a reader that takes its time', async () => {
  const chunks = atLeastRate(serve({ bytes: 65_536, everyMs: 1, times: 3, ends: true }));
  for (const _ of [1, 2, 3]) {
    const read = chunks.next();
    await vi.advanceTimersByTimeAsync(1);
    expect(await read).toMatchObject({ done: false });
    await vi.advanceTimersByTimeAsync(31_000);
  }
  expect(await chunks.next()).toMatchObject({ done: true });
});
