import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { address: string; family: 4 | 6 };
export type NameResolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** Two tries of each server fit into the time that the caller gives a lookup. */
const TRY_MS = 1_200;
const TRIES = 2;

/** Asks the named servers; without any, whatever this machine asks, its hosts file included. */
export function createNameResolver(servers: readonly string[]): NameResolver {
  if (servers.length === 0) return resolveWithSystem;
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  resolver.setServers(servers);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    // A name may have addresses of one family only, or a server that fails over the other: what was told is what is used.
    const found = [...withFamily(four, 4), ...withFamily(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

function withFamily(told: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return told.status === 'fulfilled' ? told.value.map((address) => ({ address, family })) : [];
}

async function resolveWithSystem(hostname: string): Promise<ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
