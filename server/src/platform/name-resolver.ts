import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { address: string; family: 4 | 6 };
export type NameResolver = (hostname: string) => Promise<ResolvedAddress[]>;

/** Two tries of two servers fit into the time of a lookup (guarded-fetch.ts). */
const TRY_MS = 1_200;
const TRIES = 2;

/** Asks these servers; without any, the resolver of the system, including its hosts file. */
export function createNameResolver(servers: readonly string[]): NameResolver {
  if (servers.length === 0) return resolveWithSystem;
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  resolver.setServers(servers);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    // A name may have addresses of only one family, or its server may fail for the other: one answer is enough.
    const found = [...withFamily(four, 4), ...withFamily(six, 6)];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

function withFamily(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

async function resolveWithSystem(hostname: string): Promise<ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
