import { createServer } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import type { Stage } from '../scenario.ts';
import { listenOnLoopback } from '../stand-ins/listen.ts';
import { provokeOverload } from './overload.ts';

/** Longer than a request and an upload take together. */
const RECOVERY_MS = 1_000;

let recoversAtMs = Number.POSITIVE_INFINITY;
const hasRecovered = () => performance.now() >= recoversAtMs;
const service = await listenOnLoopback(
  createServer(({ url }, response) => {
    if (url !== '/v1/usage' || hasRecovered()) response.end('{}');
    else response.writeHead(503).end('{"code":"overloaded"}');
  }),
);
afterAll(() => service.close());

it('waits until requests are no longer refused before it uploads', async () => {
  const lock = {
    async query(sql: string) {
      if (sql === 'rollback') recoversAtMs = performance.now() + RECOVERY_MS;
    },
    release() {},
  };
  const problems: string[] = [];
  const stage = {
    world: {
      fleet: { anyUrl: async () => service.url },
      postgres: { pool: { connect: async () => lock } },
      tenants: [{ apiKey: 'key' }],
    },
    driver: { perform: async () => (hasRecovered() ? 'ok' : 'unknown') },
    problems,
  };
  await provokeOverload(stage as unknown as Stage);
  expect(problems).toEqual([]);
});
