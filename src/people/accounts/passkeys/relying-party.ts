import { isIP } from 'node:net';

/** The relying party: a browser gives a passkey only to this host name. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Addresses of the machine itself. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

/**
 * Derives it from the address at which clients reach the server. `null` where passkeys are not
 * possible: they need a host name and https, except on `localhost`.
 */
export function relyingPartyOf(url: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(url);
  if (ownNames.has(hostname)) {
    return { id: 'localhost', origin: origin.replace(`//${hostname}`, '//localhost') };
  }
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  return protocol === 'https:' && isName ? { id: hostname, origin } : null;
}
