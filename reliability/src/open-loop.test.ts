import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { countStatuses, percentileMs, sendOpenLoop } from './open-loop.ts';

const REQUEST_COUNT = 10;
const waiting: ServerResponse[] = [];
/** Answers nothing until it has REQUEST_COUNT requests, and resets connections to `/broken`. */
const server = createServer((request, response) => {
  if (request.url === '/broken') return void request.socket.resetAndDestroy();
  if (waiting.push(response) === REQUEST_COUNT) for (const one of waiting) one.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('sendOpenLoop', () => {
  it('keeps sending while nothing is answered, and measures from when each request was due', async () => {
    const lateMs = 300;
    const samples = await sendOpenLoop(100, 0.1, (index) => {
      // The first is sent this late, and so are all others, each of which is due 10 ms after the one before it.
      const startMs = performance.now();
      while (index === 0 && performance.now() - startMs < lateMs);
      return { url, headers: {} };
    });
    expect(samples.map(({ status }) => status)).toEqual(Array(REQUEST_COUNT).fill(200));
    for (const [index, { latencyMs }] of samples.entries())
      expect(latencyMs).toBeGreaterThan(lateMs - 10 * index);
  });

  it('has a status of null without an answer', async () => {
    const samples = await sendOpenLoop(100, 0.02, () => ({ url: `${url}/broken`, headers: {} }));
    expect(samples.map(({ status }) => status)).toEqual([null, null]);
    expect(countStatuses([...samples, { status: 200, latencyMs: 1 }])).toEqual({ 'no answer': 2, 200: 1 });
  });
});

it('finds percentiles by the nearest rank', () => {
  const samples = [30, 10, 40, 20].map((latencyMs) => ({ status: 200, latencyMs }));
  expect([0, 25, 50, 51, 99, 100].map((percent) => percentileMs(samples, percent))).toEqual([
    10, 10, 20, 30, 40, 40,
  ]);
});
