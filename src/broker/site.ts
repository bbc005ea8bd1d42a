import { isIP } from 'node:net';

/** Where people reach the broker: passkeys are made for this host name, and no other. */
export interface Site {
  /** Without a slash at its end. */
  readonly url: string;
  readonly origin: string;
  readonly rpId: string;
}

/**
 * Reads the address. A passkey needs a host name and, but for `localhost`, https; the pages lie at the
 * root of the host. `null` where that does not hold.
 */
export function siteOf(url: string): Site | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, origin, href } = new URL(url);
  if (href !== `${origin}/`) return null;
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return isName && isSafe ? { url: origin, origin, rpId: hostname } : null;
}
