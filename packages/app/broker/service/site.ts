import { isIP } from 'node:net';

/** The public address of the broker: passkeys are bound to this host name. */
export interface Site {
  /** Without a trailing slash. */
  readonly url: string;
  readonly origin: string;
  readonly rpId: string;
}

/**
 * Parses the address. `null` where passkeys are not possible: they need a host name and https,
 * except on `localhost`. The pages are at the root of the host.
 */
export function siteOf(url: string): Site | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, origin, href } = new URL(url);
  if (href !== `${origin}/`) return null;
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return isName && isSafe ? { url: origin, origin, rpId: hostname } : null;
}
