import { lookup, Resolver } from 'node:dns/promises';

export type ResolvedAddress = { address: string; family: 4 | 6 };
export type NameResolver = (hostname: string) => Promise<ResolvedAddress[]>;

/**
 * Two tries of two servers fit into LOOKUP_TIMEOUT_MS (guarded-fetch.ts): the resolver doubles the timeout in the second try, and Node
 * checks it only at whole multiples of the first.
 */
const TRY_TIMEOUT_MS = 700;
const TRIES_MAX = 2;

/** Asks the given servers; without any, the system's resolver, which also reads the hosts file. */
export function createNameResolver(servers: readonly string[]): NameResolver {
  if (servers.length === 0) return resolveWithSystem;
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES_MAX });
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
