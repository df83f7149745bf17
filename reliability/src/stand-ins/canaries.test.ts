import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { startCanaries } from './canaries.ts';
import { listenOnLoopback } from './listen.ts';

it('records connections to the closed addresses at its ports, and not to the open one', async () => {
  const listen = () => listenOnLoopback(createServer((socket) => socket.destroy()));
  const open = [await listen(), await listen()];
  for (const { close } of open) onTestFinished(close);
  const ports = open.map(({ port }) => port);
  const canaries = await startCanaries(ports);
  onTestFinished(canaries.close);
  const hasSix = Object.values(networkInterfaces())
    .flat()
    .some((entry) => entry?.address === '::1');
  const closed = hasSix ? ['127.0.0.2', '::1'] : ['127.0.0.2'];

  for (const port of ports) await once(connect(port, '127.0.0.1'), 'close');
  expect(canaries.connections).toEqual([]);
  for (const address of closed) for (const port of ports) await once(connect(port, address), 'close');
  const expected = closed.flatMap((address) => ports.map((port) => `${address}:${port}`));
  expect(canaries.connections).toEqual(expected);
  expect(canaries.addresses).toEqual(expected);
});
