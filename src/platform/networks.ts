/** Networks of addresses: the unit in which clients share limits. */
import { isIP } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address that a dual-stack socket spells as IPv6 is an IPv4 address. */
export const plainAddress = (address: string): string => mapped.exec(address)?.[1] ?? address;

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function householdOf(given: string): string {
  const address = plainAddress(given);
  return isIP(address) === 6 ? firstGroups(address, 4) : address;
}

/** The network that one operator holds at little cost: the /24 of an IPv4 address, the /48 of IPv6. */
export function siteOf(given: string): string {
  const address = plainAddress(given);
  if (isIP(address) === 6) return firstGroups(address, 3);
  return isIP(address) === 4 ? `${address.split('.').slice(0, 3).join('.')}.0/24` : address;
}

/** The first groups of 16 bits of an IPv6 address, with `::` expanded. */
function firstGroups(address: string, count: number): string {
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const [before = [], after = []] = [head, tail].map((part) =>
    part === '' ? [] : part.split(':'),
  );
  const missing = Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return `${groups.slice(0, count).join(':')}::/${16 * count}`;
}
