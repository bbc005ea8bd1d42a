/** Addresses of clients, and the proxies that are trusted to state them. */
import { BlockList, isIP, type AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether the address is a proxy that the operator trusts. */
export type IsTrustedProxy = (address: string) => boolean;

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address that a dual-stack socket spells as IPv6 is an IPv4 address. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address;

const familyOf = (address: string): AddressInfo['family'] =>
  isIP(address) === 6 ? 'ipv6' : 'ipv4';

/** Reads `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; an empty list trusts no proxy. */
export function createTrustedProxies(ranges: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = familyOf(address) === 'ipv6' ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (given) => {
    const address = plain(given);
    return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * The client's address: from the socket, or from trusted proxies. Text that is not an address is
 * ignored, so logs contain only addresses.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const stated = plain(ip);
  return isIP(stated) === 0 ? plain(socket.remoteAddress ?? '') : stated;
}

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(given: string): string {
  const address = plain(given);
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const missing = Math.max(0, 8 - (before?.length ?? 0) - (after?.length ?? 0));
  const groups = [...(before ?? []), ...Array<string>(missing).fill('0'), ...(after ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
