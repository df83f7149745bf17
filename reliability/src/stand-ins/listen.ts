import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts a server on a free port of the loopback interface. */
export async function listenOnLoopback(
  server: Server,
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      if (server instanceof HttpServer) server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
