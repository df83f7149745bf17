import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export type LocalServer = { url: string; close(): Promise<void> };

/** A server on 127.0.0.1 that stands for a foreign one, which we call. Closed at the end of the test file. */
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

type GivenAnswer = { status: number; headers?: Record<string, string>; body?: string };

/** A webhook receiver that records every call. `answer` gets the call and its number, counted from 1. */
export async function startReceiver(
  answer: (call: ReceivedCall, nth: number) => GivenAnswer | Promise<GivenAnswer> = () => ({ status: 200 }),
): Promise<LocalServer & { calls: ReceivedCall[] }> {
  const calls: ReceivedCall[] = [];
  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers, rawHeaders } = request;
    const call = { path, headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8') };
    calls.push(call);
    const { status, headers: answerHeaders = {}, body = '' } = await answer(call, calls.length);
    response.writeHead(status, answerHeaders).end(body);
  });
  return { ...server, calls };
}
