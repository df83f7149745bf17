import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export type LocalServer = { url: string; close(): Promise<void> };

/**
 * A server on 127.0.0.1 that plays a server on the internet. Closed at the end of the test file; one that is started within a test lives
 * as long as the process, because vitest ignores hooks that are registered while a test runs.
 */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  afterAll(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export type ReceivedCall = { path: string; headers: IncomingHttpHeaders; rawHeaders: string[]; body: string };

type Reply = { status: number; headers?: Record<string, string>; body?: string };

/** A webhook receiver that records every call. `reply` gets the call and its number, counted from 1. */
export async function startReceiver(
  reply: (call: ReceivedCall, callNumber: number) => Reply | Promise<Reply> = () => ({ status: 200 }),
): Promise<LocalServer & { calls: ReceivedCall[] }> {
  const calls: ReceivedCall[] = [];
  const server = await startLocalServer(async (request, response) => {
    const { url: path = '', headers, rawHeaders } = request;
    const call = { path, headers, rawHeaders, body: Buffer.concat(await request.toArray()).toString('utf8') };
    calls.push(call);
    const { status, headers: replyHeaders = {}, body = '' } = await reply(call, calls.length);
    response.writeHead(status, replyHeaders).end(body);
  });
  return { ...server, calls };
}
