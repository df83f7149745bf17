import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { whileCollecting } from '../../scripts/collect-garbage.mjs';
import { createTransport } from './transport.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Long enough for the garbage collector to run within it. */
const TIMEOUT_MS = 300;

/** A transport to a server that answers with `listener`. */
async function transportTo(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createTransport({ baseUrl, token: null, retriesMax: 0, timeoutMs: TIMEOUT_MS, fetch });
}

describe('the deadline of a call, despite garbage collections', () => {
  it('ends a call without a response', async () => {
    const call = await transportTo(() => {});
    const outcome = whileCollecting(() => call({ method: 'GET', path: '/', signal: neverAborted() }));
    await expect(outcome).rejects.toMatchObject({ name: 'ConnectionError', cause: { name: 'TimeoutError' } });
  });

  it('ends a response that never ends', async () => {
    const call = await transportTo((_request, response) => response.write('{'));
    const outcome = whileCollecting(async () => {
      const response = await call({ method: 'GET', path: '/', signal: neverAborted() });
      return response.text();
    });
    await expect(outcome).rejects.toMatchObject({ name: 'ConnectionError', cause: { name: 'TimeoutError' } });
  });

  it('does not cut a response without a timeout', async () => {
    const call = await transportTo((_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 2 * TIMEOUT_MS);
    });
    const response = await whileCollecting(() => call({ method: 'GET', path: '/', timeoutMs: null }));
    expect(await whileCollecting(() => response.text())).toBe('first last');
  });

  it('leaves the signal of the caller in force', async () => {
    const call = await transportTo((_request, response) => response.write('{'));
    const stop = new AbortController();
    const reading = call({ method: 'GET', path: '/', timeoutMs: null, signal: stop.signal }).then(
      (response) => response.text(),
    );
    setTimeout(() => stop.abort(new Error('enough')), TIMEOUT_MS);
    await expect(whileCollecting(() => reading)).rejects.toThrow('enough');
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
