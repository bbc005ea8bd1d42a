/**
 * The addresses of this very server. A plugin that reached it over the network, with the key of a
 * person, would have powers that nobody granted. The address of a connection decides, so it is the
 * same in every spelling and behind every name.
 */
import { hostname, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { literalAddress } from './address-rules.ts';

/** Where this server is. */
export type OwnAddresses = ReturnType<typeof createOwnAddresses>;

/** What plugins should do in its place. */
export const insteadOfOwn =
  'is this server itself. Ask for a power instead, such as "library": "read" for host.media and host.library.';

/** Creates it; the server has no port yet. */
export function createOwnAddresses({
  publicUrl,
  interfaces = networkInterfaces,
}: {
  readonly publicUrl: string | null;
  /** Addresses of this machine. Tests have their own. */
  readonly interfaces?: typeof networkInterfaces;
}) {
  const ports = new Set<number>();
  const publicHost = publicUrl === null ? null : placeOf(new URL(publicUrl));

  function isOfMachine(address: string): boolean {
    const [bare = ''] = address.split('%');
    if (!ipaddr.isValid(bare)) return false;
    const plain = ipaddr.process(bare);
    if (plain.range() === 'loopback' || plain.range() === 'unspecified') return true;
    const all = Object.values(interfaces()).flatMap((list) => list ?? []);
    return all.some((one) => same(one.address, plain));
  }

  /** Whether a connection to the address and port is one to this server. */
  const leadTo = (address: string, port: number): boolean =>
    ports.has(port) && isOfMachine(address);

  return {
    /** From now on the server listens at this port. */
    listensAt: (port: number): void => void ports.add(port),
    hasPort: (port: number): boolean => ports.has(port),
    leadTo,
    /** Whether `HOST:PORT` names this server, without a lookup; a host without a port does not. */
    names: (host: string): boolean => {
      const text = `https://${host}`;
      if (!/:\d+$/.test(host) || !URL.canParse(text)) return false;
      const { name, port } = placeOf(new URL(text));
      if (name === publicHost?.name && port === publicHost.port) return true;
      const literal = literalAddress(name);
      return literal === null ? ports.has(port) && isLocalName(name) : leadTo(literal, port);
    },
  };
}

/** The name in the spelling of URLs, without the dot that ends a whole name, and the port. */
function placeOf({ hostname: name, port, protocol }: URL) {
  const usual = protocol === 'http:' ? 80 : 443;
  return { name: name.replace(/\.$/, ''), port: port === '' ? usual : Number(port) };
}

const isLocalName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === hostname().toLowerCase();

function same(address: string, plain: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [bare = ''] = address.split('%');
  return ipaddr.isValid(bare) && ipaddr.process(bare).toString() === plain.toString();
}
