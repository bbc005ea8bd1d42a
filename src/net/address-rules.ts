import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet: no private, loopback, link-local, shared,
 * reserved or multicast one, and of IPv6 only what is handed out to the public (2000::/3). An IPv4
 * address that is wrapped in an IPv6 one counts as what it wraps.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain.kind() === 'ipv4' || (Number(plain.toByteArray()[0]) & 0xe0) === 0x20;
}

/** The address that a host name of a URL is, or `null` for a name that has to be looked up. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}
