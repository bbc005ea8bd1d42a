import { isIP } from 'node:net';

/** For whom passkeys are made: a browser gives a passkey to this host name only. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** The machine itself, as an address to listen on. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

/**
 * Reads it from the address at which clients reach the server. A passkey needs a host name and, but
 * for `localhost`, https: `null` where there is none.
 */
export function relyingPartyOf(url: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(url);
  if (ownNames.has(hostname)) {
    return { id: 'localhost', origin: origin.replace(`//${hostname}`, '//localhost') };
  }
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  return protocol === 'https:' && isName ? { id: hostname, origin } : null;
}
