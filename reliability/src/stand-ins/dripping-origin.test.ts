import { afterAll, expect, it } from 'vitest';
import { startDrippingOrigin } from './dripping-origin.ts';

const origin = await startDrippingOrigin();
afterAll(() => origin.close());

it('sends a WAV header at once and little more, and records when the client disconnects', async () => {
  const client = new AbortController();
  const response = await fetch(origin.url, { signal: client.signal });
  expect(response.headers.get('content-length')).toBe('40000000');
  const { value } = await response.body!.getReader().read();
  expect(Buffer.from(value as Uint8Array).toString('latin1', 0, 4)).toBe('RIFF');
  // At 18,000 bytes a second, a busy machine may have joined some of the drips to the header.
  expect((value as Uint8Array).length).toBeLessThan(18_000);
  expect(origin.connections.map(({ lastedMs }) => lastedMs)).toEqual([null]);
  client.abort();
  await expect.poll(() => origin.connections[0]?.lastedMs).toBeGreaterThan(0);
});
