/** Where requests come from, and whom to believe about it. */
import { BlockList, isIP, type AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether an address is that of a proxy that the operator trusts. */
export type IsTrustedProxy = (address: string) => boolean;

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** IPv4 addresses that a socket of both kinds spells as IPv6 are IPv4 addresses. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address;

const familyOf = (address: string): AddressInfo['family'] =>
  isIP(address) === 6 ? 'ipv6' : 'ipv4';

/** Reads `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; none = nobody is trusted. */
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
 * The client's address: what the socket says, or what trusted proxies say of it. Text that is no
 * address counts for nothing, so a log has addresses and nothing that somebody made up.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const told = plain(ip);
  return isIP(told) === 0 ? plain(socket.remoteAddress ?? '') : told;
}

/** Those who share it are taken for one: an IPv4 address, or the /64 that one IPv6 line has. */
export function networkOf(given: string): string {
  const address = plain(given);
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const missing = Math.max(0, 8 - (before?.length ?? 0) - (after?.length ?? 0));
  const groups = [...(before ?? []), ...Array<string>(missing).fill('0'), ...(after ?? [])];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
