import ipaddr from 'ipaddr.js';

const NETWORK_BYTES = 64 / 8;

/**
 * The subject of rate limits for an address: an IPv4 address itself, or the /64 of an IPv6 address, within which a client can change
 * its address at will.
 */
export function limitSubjectOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = Buffer.from(address.toByteArray().slice(0, NETWORK_BYTES));
  return `${network.toString('hex')}/64`;
}
