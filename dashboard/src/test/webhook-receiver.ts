import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

type Receiver = {
  url: string;
  /** The types of the received events, in order of arrival. */
  events: string[];
  /** The status of its responses; a test may change it. */
  status: number;
};

const servers: Server[] = [];
// At the top level of the module: vitest ignores a hook that is registered while a test or another hook runs.
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a server that receives webhooks and closes after the tests of the file. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    receiver.events.push((JSON.parse(Buffer.concat(chunks).toString()) as { type: string }).type);
    response.writeHead(receiver.status).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, events: [], status: 204 };
  return receiver;
}
