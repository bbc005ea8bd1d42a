/** Addresses of clients, and the proxies that are trusted to state them. */
import { BlockList, isIP, type AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../platform/networks.ts';

/** Whether the address is a proxy that the operator trusts. */
export type IsTrustedProxy = (address: string) => boolean;

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
    const address = plainAddress(given);
    return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

/**
 * The client's address: from the socket, or from trusted proxies. Text that is not an address is
 * ignored, so logs contain only addresses.
 */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const stated = plainAddress(ip);
  return isIP(stated) === 0 ? plainAddress(socket.remoteAddress ?? '') : stated;
}
