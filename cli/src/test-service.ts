import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | undefined;
  idempotencyKey: string | undefined;
  /** Of JSON what it says, of a file its text. */
  body: unknown;
};
export type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

/**
 * A service that answers as `answer` says, and a machine that knows of no other: its key is in the environment, its folder of
 * settings is empty. What is printed is kept.
 */
export async function startTestService(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = [];
  const printed: string[] = [];
  const told: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const isJson = request.headers['content-type'] === 'application/json';
    asked.push({
      method: request.method!,
      path: pathname,
      query: searchParams,
      token: request.headers.authorization?.replace('Bearer ', ''),
      idempotencyKey: request.headers['idempotency-key']?.toString(),
      body: isJson ? JSON.parse(text) : text || null,
    });
    const { status = 200, headers, body: answered } = answer(asked.at(-1)!);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const list of [asked, printed, told]) list.length = 0;
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.stubEnv('EARSHOT_API_KEY', 'es_live_secret');
    vi.stubEnv('EARSHOT_URL', url);
    vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
    vi.spyOn(console, 'error').mockImplementation((line) => told.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return { url, asked, printed, told };
}
