import { createServer } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenOnLoopback } from '../stand-ins/listen.ts';
import { holdSlowClients } from './slow-clients.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What each connection has sent. */
const texts: string[] = [];
let closedCount = 0;
/** Of each kind of request, closes the first connection after one late byte, the second after two, and so on. */
const service = await listenOnLoopback(
  createServer((socket) => {
    const nth = texts.push('') - 1;
    socket.on('data', (bytes) => {
      const text = texts[nth] + String(bytes);
      texts[nth] = text;
      const lateBytesMax = texts.slice(0, nth + 1).filter((other) => other[0] === text[0]).length;
      if (text.endsWith('x'.repeat(lateBytesMax))) socket.end();
    });
    socket.on('close', () => {
      closedCount += 1;
    });
  }),
);
afterAll(() => service.close());

/** Lets the network work while the clock stands still. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

it('sends requests and then a byte a second, and returns when the last of each kind was closed', async () => {
  const held = holdSlowClients(service.port, 'key', { headers: 3, bodies: 2 });
  // The connections are not open yet: a byte that is due now must not precede the request.
  vi.advanceTimersByTime(1_000);
  await waitUntil(() => texts.filter((text) => text !== '').length === 5);
  expect(texts.map((text) => text.split(' ')[0]).sort()).toEqual(['GET', 'GET', 'GET', 'POST', 'POST']);
  for (const count of [2, 4, 5]) {
    vi.advanceTimersByTime(1_000);
    await waitUntil(() => closedCount === count);
  }
  expect(await held).toEqual({ headersCutSeconds: 3, bodiesCutSeconds: 2 });
});

it('fails if all connections of a kind were closed at once', async () => {
  const busy = await listenOnLoopback(createServer((socket) => socket.end()));
  const counts = { headers: 2, bodies: 2 };
  await expect(holdSlowClients(busy.port, 'key', counts)).rejects.toThrow(/closed at once/);
  await busy.close();
  await expect(holdSlowClients(busy.port, 'key', counts)).rejects.toThrow(/closed at once/);
});
