import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeEach } from 'vitest';
import { createGuardedFetch, type GuardedRequest, type GuardedResponse } from '../platform/guarded-fetch.ts';
import type { ResolvedAddress } from '../platform/name-resolver.ts';

/** Plays a public address: the only loopback address that the guarded fetch may reach. */
export const PUBLIC = '127.0.0.50';

/** Short times: every server is on this machine. */
export const FETCH_DEFAULTS = {
  method: 'GET',
  redirectsMax: 5,
  connectTimeoutMs: 2_000,
  totalTimeoutMs: 5_000,
  responseBytesMax: 1_000_000,
  onTooLong: 'fail',
} as const;

/** Addresses in the form that a resolver returns. */
export function at(...addresses: string[]): ResolvedAddress[] {
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/**
 * An internet for tests of the guarded fetch: a resolver with names of its own, servers on the "public" address, and canaries. A canary
 * is a server that must never be reached, on the loopback addresses of IPv4 and IPv6 and on the address of this machine. All canaries
 * listen on one allowed port, so that only the address can be the reason for a refusal.
 */
export async function createOutsideWorld() {
  const servers: TcpServer[] = [];
  const touched: string[] = [];
  const names = new Map<string, ResolvedAddress[] | (() => ResolvedAddress[])>([
    ['localhost', at('127.0.0.1')],
    ['public.test', at(PUBLIC)],
  ]);

  async function listen(server: TcpServer, host = PUBLIC, port = 0): Promise<number> {
    servers.push(server);
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const canary = (host: string) =>
    createTcpServer((socket) => {
      touched.push(host);
      socket.destroy();
    });
  const canaryPort = await listen(canary('127.0.0.1'), '127.0.0.1');
  await listen(canary('127.0.0.2'), '127.0.0.2', canaryPort);
  const ownAddress =
    Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry && !entry.internal && entry.family === 'IPv4')?.address ?? null;
  if (ownAddress !== null) await listen(canary(ownAddress), ownAddress, canaryPort);
  const hasIpv6 = await listen(canary('::1'), '::1', canaryPort).then(
    () => true,
    () => false,
  );

  async function resolve(hostname: string): Promise<ResolvedAddress[]> {
    const found = names.get(hostname.replace(/\.$/, ''));
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return typeof found === 'function' ? found() : found;
  }
  const guardedFetch = createGuardedFetch({
    allowPrivateTargets: [`${PUBLIC}/32`],
    allowedPorts: [canaryPort, 80, 443],
    resolve,
  });
  const get = (url: string, options: Partial<GuardedRequest> = {}): Promise<GuardedResponse> =>
    guardedFetch({ ...FETCH_DEFAULTS, url, ...options });

  async function read(url: string, options: Partial<GuardedRequest> = {}): Promise<string> {
    const { body } = await get(url, options);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  beforeEach(() => {
    touched.length = 0;
  });
  afterAll(() => {
    for (const server of servers) {
      if ('closeAllConnections' in server) (server as Server).closeAllConnections();
      server.close();
    }
  });
  return {
    canaryPort,
    ownAddress,
    hasIpv6,
    /** Hosts of the canaries that were reached in this test. */
    touched,
    names,
    resolve,
    guardedFetch,
    get,
    read,
    listen,
    /** Starts a server on the public address; returns the URL of its root. */
    publicServer: async (listener: RequestListener) =>
      `http://public.test:${await listen(createServer(listener))}`,
  };
}
