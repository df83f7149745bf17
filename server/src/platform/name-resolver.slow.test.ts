import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LOOKUP_TIMEOUT_MS } from './guarded-fetch.ts';
import { createNameResolver } from './name-resolver.ts';

it('sends all its questions to two silent servers, both of them, before a lookup times out', async () => {
  const askedMs: number[][] = [[], []];
  const servers = await Promise.all(
    askedMs.map(async (moments) => {
      const server = createSocket('udp4').on('message', () => moments.push(performance.now() - startedMs));
      server.bind(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const startedMs = performance.now();
  const resolve = createNameResolver(servers.map((server) => `127.0.0.1:${server.address().port}`));
  await expect(resolve('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  for (const server of servers) server.close();
  // An IPv4 and an IPv6 question, each in two tries of two servers. The resolver prefers the server with fewer failures.
  expect(askedMs.flat()).toHaveLength(2 * 2 * 2);
  expect(askedMs.map((moments) => moments.length)).not.toContain(0);
  expect(Math.max(...askedMs.flat())).toBeLessThan(LOOKUP_TIMEOUT_MS);
});
