import ipaddr from 'ipaddr.js';

/** What one household or machine can change at will counts as one: an IPv4 address, or an IPv6 /64. */
export function limitSubjectOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().slice(0, 8);
  return `${network.map((byte) => byte.toString(16).padStart(2, '0')).join('')}/64`;
}
