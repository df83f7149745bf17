import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * The addresses a customer's URL may lead to. IPv4 is open except for the ranges that are not globally reachable
 * (iana-ipv4-special-registry), the former 6to4 relays, multicast and Azure's virtual host. IPv6 is closed except for global unicast
 * without the ranges below, so that no IPv4 address can be reached in IPv6 notation (mapped, compatible, NAT64, 6to4, Teredo).
 */
const CLOSED_IPV4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and cloud metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's virtual host
  '169.254.0.0/16', // link-local, and cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map(parseRange);

const OPEN_IPV6 = parseRange('2000::/3');
const CLOSED_IPV6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
].map(parseRange);

/** An entry of ALLOW_PRIVATE_TARGETS opens addresses of these ranges only from within the range: 0.0.0.0/0 does not open the loopback. */
const EXPLICIT_ONLY = ['127.0.0.0/8', '169.254.0.0/16', '0.0.0.0/8', '::1/128', 'fe80::/10', '::/128'].map(
  parseRange,
);

type Range = { network: ipaddr.IPv4 | ipaddr.IPv6; prefixBits: number };

export type AddressRules = {
  /** `opened`: an entry of ALLOW_PRIVATE_TARGETS opens the address. */
  judge(address: string): { allowed: boolean; opened: boolean };
};

export function createAddressRules(allowPrivateTargets: readonly string[]): AddressRules {
  const entries = allowPrivateTargets.map(parseRange);
  return {
    judge(text) {
      if (!ipaddr.isValid(text) || text.includes('%')) return { allowed: false, opened: false };
      const address = ipaddr.parse(text);
      const opened = entries.some((entry) => opens(entry, address));
      return { allowed: opened || (isPublic(address) && !isOwnAddress(text)), opened };
    },
  };
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !CLOSED_IPV4.some((range) => contains(range, address));
  return contains(OPEN_IPV6, address) && !CLOSED_IPV6.some((range) => contains(range, address));
}

/** Connections to this machine's own public addresses would bypass its firewall. */
function isOwnAddress(text: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === text));
}

function opens(entry: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!contains(entry, address)) return false;
  const special = EXPLICIT_ONLY.find((range) => contains(range, address));
  return (
    special === undefined || (entry.prefixBits >= special.prefixBits && contains(special, entry.network))
  );
}

/** Addresses of different families never match, not even an IPv4-mapped IPv6 address and its IPv4 address. */
function contains({ network, prefixBits }: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (network instanceof ipaddr.IPv4)
    return address instanceof ipaddr.IPv4 && address.match(network, prefixBits);
  return address instanceof ipaddr.IPv6 && address.match(network, prefixBits);
}

function parseRange(text: string): Range {
  const [network, prefixBits] = ipaddr.parseCIDR(text);
  return { network, prefixBits };
}
