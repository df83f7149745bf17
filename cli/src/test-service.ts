import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

export type ReceivedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Null without an Authorization header. */
  token: string | null;
  idempotencyKey: string | null;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text of anything else; null without a body. */
  body: unknown;
};
/** A body is sent as JSON, or as it is if it is bytes. */
export type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

/**
 * Starts a service that responds with what `answer` returns, for every test of the file. The environment has its address and a
 * key; the folder of credentials is empty. Requests and the lines of `console.log` and `console.error` are recorded per test.
 */
export async function startTestService(answer: (request: ReceivedRequest) => Answer) {
  const requests: ReceivedRequest[] = [];
  const printed: string[] = [];
  const errorLines: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const isJson = request.headers['content-type'] === 'application/json';
    requests.push({
      method: request.method!,
      path: pathname,
      query: searchParams,
      token: request.headers.authorization?.replace('Bearer ', '') ?? null,
      idempotencyKey: request.headers['idempotency-key']?.toString() ?? null,
      headers: request.headers,
      body: isJson ? JSON.parse(text) : text || null,
    });
    const { status = 200, headers, body: answered } = answer(requests.at(-1)!);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(answered instanceof Uint8Array ? answered : JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const list of [requests, printed, errorLines]) list.length = 0;
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.stubEnv('EARSHOT_API_KEY', 'es_live_secret');
    vi.stubEnv('EARSHOT_URL', url);
    vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
    vi.spyOn(console, 'error').mockImplementation((line) => errorLines.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return { url, requests, printed, errorLines };
}
