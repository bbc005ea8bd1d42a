import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet: not private, loopback, link-local, shared,
 * reserved or multicast, and for IPv6 only the range of public addresses (2000::/3). An IPv4
 * address inside an IPv6 address is checked as IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain.kind() === 'ipv4' || (Number(plain.toByteArray()[0]) & 0xe0) === 0x20;
}

/** The address in a URL's host name, or `null` for a name that must be resolved. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}
