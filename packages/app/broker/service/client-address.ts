/** The client addresses of requests, and the proxies that are trusted to report them. */
import { BlockList, isIP } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4-mapped IPv6 address of a dual-stack socket becomes an IPv4 address. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Parses `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; an empty list trusts no proxy. */
export function createTrustedProxies(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (given) => {
    const address = plain(given);
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}

/** An address in its plain form; an invalid text is ignored. */
export function addressOf(reported: string, socketAddress: string | undefined): string {
  const address = plain(reported);
  return isIP(address) === 0 ? plain(socketAddress ?? '') : address;
}

function groupsOf(address: string): readonly string[] {
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const [before = [], after = []] = [head, tail].map((part) =>
    part === '' ? [] : part.split(':'),
  );
  const missing = Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after];
}

/** The unit for rate limits: an IPv4 address, or an IPv6 /64. */
export const networkKeyOf = (address: string): string =>
  isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/**
 * The part of an address that is shown to users: an IPv4 address without its last part, or a /48.
 */
export const networkOf = (address: string): string =>
  isIP(address) === 6
    ? `${groupsOf(address).slice(0, 3).join(':')}::/48`
    : address.replace(/\.\d+$/, '.x');
