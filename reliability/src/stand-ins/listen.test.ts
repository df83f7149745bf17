import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenOnLoopback } from './listen.ts';

it.each([
  ['TCP', () => createServer()],
  ['HTTP', () => createHttpServer()],
])('closing a server for %s breaks open connections', async (_, create) => {
  const server = create();
  const { port, close } = await listenOnLoopback(server);
  const client = connect(port, '127.0.0.1').on('error', () => {});
  await once(server, 'connection');
  const broken = once(client, 'close');
  await close();
  await broken;
  expect(server.listening).toBe(false);
});
