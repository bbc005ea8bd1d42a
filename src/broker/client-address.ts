/** Where requests come from, and whom to believe about it. */
import { BlockList, isIP } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** IPv4 addresses that a socket of both kinds spells as IPv6 are IPv4 addresses. */
const plain = (address: string): string => mapped.exec(address)?.[1] ?? address;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Reads `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; none = nobody is believed. */
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

/** An address in its plain form; text that is none counts for nothing. */
export function addressOf(told: string, socketAddress: string | undefined): string {
  const address = plain(told);
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

/** Those who share it are counted as one: an IPv4 address, or the /64 of one IPv6 line. */
export const lineOf = (address: string): string =>
  isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;

/** As much of an address as is shown to a person: an IPv4 address without its last part, or a /48. */
export const networkOf = (address: string): string =>
  isIP(address) === 6
    ? `${groupsOf(address).slice(0, 3).join(':')}::/48`
    : address.replace(/\.\d+$/, '.x');
