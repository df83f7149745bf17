import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startCanaries } from './canaries.ts';
import { listenOnLoopback } from './listen.ts';

it('records connections to the closed addresses at its ports, and not to the open one', async () => {
  const open = await listenOnLoopback(createServer((socket) => socket.destroy()));
  const canaries = await startCanaries([open.port]);
  expect(canaries.addresses).toContain(`127.0.0.2:${open.port}`);
  await once(connect(open.port, '127.0.0.1'), 'close');
  expect(canaries.connections).toEqual([]);
  await once(connect(open.port, '127.0.0.2'), 'close');
  expect(canaries.connections).toEqual([`127.0.0.2:${open.port}`]);
  await Promise.all([canaries.close(), open.close()]);
});
