import ipaddr from 'ipaddr.js';

/** The subject of rate limits for an address: an IPv4 address itself, or the /64 of an IPv6 address, within which a client can change it at will. */
export function limitSubjectOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().slice(0, 8);
  return `${network.map((byte) => byte.toString(16).padStart(2, '0')).join('')}/64`;
}
