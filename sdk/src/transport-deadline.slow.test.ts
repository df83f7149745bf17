import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { whileCollecting } from '../../scripts/collect-garbage.mjs';
import { ConnectionError } from './errors.ts';
import { createTransport } from './transport.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** A transport that gives up after 300 ms, and the server it talks to. */
async function transportTo(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createTransport({ baseUrl, token: null, retriesMax: 0, timeoutMs: 300, fetch });
}

describe('the deadline of a call holds through garbage collections', () => {
  it('when nobody answers', async () => {
    const call = await transportTo(() => {});
    const outcome = whileCollecting(() => call({ method: 'GET', path: '/', signal: neverAborted() }));
    await expect(outcome).rejects.toThrow(ConnectionError);
  });

  it('when an answer never ends', async () => {
    const call = await transportTo((_request, response) => response.write('{'));
    const outcome = whileCollecting(async () => {
      const response = await call({ method: 'GET', path: '/', signal: neverAborted() });
      return response.text();
    });
    await expect(outcome).rejects.toMatchObject({ name: 'ConnectionError', cause: { name: 'TimeoutError' } });
  });

  it('and does not cut an answer that stays open on purpose', async () => {
    const call = await transportTo((_request, response) => {
      response.write('first ');
      setTimeout(() => response.end('last'), 600);
    });
    const response = await whileCollecting(() => call({ method: 'GET', path: '/', timeoutMs: null }));
    expect(await whileCollecting(() => response.text())).toBe('first last');
  });

  it('and a caller’s signal still ends the call', async () => {
    const call = await transportTo((_request, response) => response.write('{'));
    const stop = new AbortController();
    const reading = call({ method: 'GET', path: '/', timeoutMs: null, signal: stop.signal }).then(
      (response) => response.text(),
    );
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(whileCollecting(() => reading)).rejects.toThrow('enough');
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
