import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { countStatuses, percentileMs, sendOpenLoop } from './open-loop.ts';

const STALL_MS = 300;
let stalled: Promise<void> | null = null;
/** Answers nothing until STALL_MS after its first request, and resets connections to `/broken`. */
const server = createServer(async (request, response) => {
  if (request.url === '/broken') return void request.socket.resetAndDestroy();
  stalled ??= new Promise((resolve) => setTimeout(resolve, STALL_MS));
  await stalled;
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('sendOpenLoop', () => {
  it('keeps sending while nothing is answered, and measures from when each request was due', async () => {
    const samples = await sendOpenLoop(100, 0.1, () => ({ url, headers: {} }));
    expect(samples.map(({ status }) => status)).toEqual(Array(10).fill(200));
    // Due every 10 ms, and answered at the end of the stall. Timers fire a few milliseconds early, or arbitrarily late.
    for (const [index, { latencyMs }] of samples.entries())
      expect(latencyMs).toBeGreaterThan(STALL_MS - 10 * index - 20);
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
