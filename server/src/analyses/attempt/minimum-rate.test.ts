import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { requireMinimumRate } from './minimum-rate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TOO_SLOW = { reason: 'timeout', message: 'The server sends too slowly' };

/** Sends a chunk every `everyMs`; after the last the body ends, or stalls until it is discarded. */
function serve(server: { chunkBytes: number; everyMs: number; chunkCount: number; ends: boolean }) {
  let discard = () => {};
  const discarded = new Promise<void>((resolve) => {
    discard = resolve;
  });
  async function* send() {
    for (let sent = 0; sent < server.chunkCount; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, server.everyMs));
      yield new Uint8Array(server.chunkBytes);
    }
    if (server.ends) return;
    await discarded;
    throw new Error('The connection was closed');
  }
  return { body: send(), discard };
}

async function readFor(durationMs: number, server: Parameters<typeof serve>[0]) {
  const outcome = Readable.from(requireMinimumRate(serve(server)))
    .toArray()
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(durationMs);
  return outcome;
}

it('aborts when a server stalls', async () => {
  const server = { chunkBytes: 1_000_000, everyMs: 1, chunkCount: 1, ends: false };
  expect(await readFor(30_001, server)).toMatchObject(TOO_SLOW);
});

// The minimum is 16,000 bytes a second, so 160,000 in ten seconds.
it('aborts when a server sends too little in half a minute', async () => {
  const server = { chunkBytes: 159_000, everyMs: 10_000, chunkCount: 100, ends: true };
  expect(await readFor(30_000, server)).toMatchObject(TOO_SLOW);
});

it.each([
  [161_000, 10_000],
  [480_000, 29_999],
])('accepts a slow server that is above the minimum: %i bytes every %i ms', async (chunkBytes, everyMs) => {
  const server = { chunkBytes, everyMs, chunkCount: 10, ends: true };
  expect(await readFor(10 * everyMs, server)).toHaveLength(10);
});

it('does not count the time that the consumer takes', async () => {
  const server = { chunkBytes: 65_536, everyMs: 1, chunkCount: 3, ends: true };
  const chunks = requireMinimumRate(serve(server));
  for (const _ of [1, 2, 3]) {
    const read = chunks.next();
    await vi.advanceTimersByTimeAsync(1);
    expect(await read).toMatchObject({ done: false });
    await vi.advanceTimersByTimeAsync(31_000);
  }
  expect(await chunks.next()).toMatchObject({ done: true });
});
