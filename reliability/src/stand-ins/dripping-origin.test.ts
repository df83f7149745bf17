import { afterAll, expect, it } from 'vitest';
import { startDrippingOrigin } from './dripping-origin.ts';

const origin = await startDrippingOrigin();
afterAll(() => origin.close());

const BYTES_PER_SECOND = 18_000;
const DRIP_BYTES = 1_800;
const HEADER_BYTES = 44;

it('sends a WAV header at once and then at most 18,000 bytes a second, and records when the client disconnects', async () => {
  const client = new AbortController();
  const response = await fetch(origin.url, { signal: client.signal });
  expect(response.headers.get('content-length')).toBe('40000000');
  const reader = response.body!.getReader();
  const first = (await reader.read()).value!;
  expect(Buffer.from(first).toString('latin1', 0, 4)).toBe('RIFF');
  let receivedBytes = first.length;
  while (receivedBytes < HEADER_BYTES + 3 * DRIP_BYTES) receivedBytes += (await reader.read()).value!.length;
  const elapsedMs = performance.now() - origin.connections[0]!.openedMs;
  // Timers may run some milliseconds early.
  const bytesMax = HEADER_BYTES + (BYTES_PER_SECOND * (elapsedMs + 10)) / 1000;
  expect(receivedBytes).toBeLessThanOrEqual(bytesMax);
  expect(origin.connections.map(({ lastedMs }) => lastedMs)).toEqual([null]);
  client.abort();
  await expect.poll(() => origin.connections[0]?.lastedMs).toBeGreaterThanOrEqual(elapsedMs);
});
