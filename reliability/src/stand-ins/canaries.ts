import { once } from 'node:events';
import { createServer } from 'node:net';

/** Internal addresses, closed to URLs of customers, whatever their host names resolve to. */
const CLOSED_ADDRESSES = ['127.0.0.2', '::1'] as const;

export type Canaries = {
  /** The addresses listened on; a machine may lack IPv6. */
  addresses: string[];
  /** The address of each forbidden connection. */
  connections: string[];
  close(): Promise<void>;
};

/**
 * Listens on the closed addresses, on the ports of the stand-ins: a URL whose host name changes from an open to a closed address connects
 * here if the service lets it.
 */
export async function startCanaries(ports: readonly number[]): Promise<Canaries> {
  const connections: string[] = [];
  const addresses: string[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  for (const address of CLOSED_ADDRESSES) {
    for (const port of ports) {
      const server = createServer((socket) => {
        connections.push(`${address}:${port}`);
        socket.destroy();
      });
      const listening = once(server.listen(port, address), 'listening').then(
        () => true,
        () => false,
      );
      if (!(await listening)) continue;
      addresses.push(`${address}:${port}`);
      closers.push(() => new Promise((resolve) => server.close(resolve)));
    }
  }
  return {
    addresses,
    connections,
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}
