import {
  bytesToSign,
  isHex32,
  toBase64url,
  type SignedObject,
} from '../../lib/identity-protocol/index.ts';
import type { Ask } from './ask.ts';
import { IdentityError } from './identity-error.ts';
import { isText } from './json.ts';
import type { ClientKey } from './key-store.ts';

/** A session at one server. */
export interface Session {
  readonly token: string;
  /** Unix milliseconds by the server's clock. */
  readonly expiresAtMs: number;
}

/** The pass, the key and the server of a sign-in. */
export interface SignIn {
  readonly cert: SignedObject;
  readonly key: ClientKey;
  /** From the list that the user signed, never from the server. */
  readonly server: { readonly serverId: string; readonly baseUrl: string };
  /** By the server's clock, as far as it is known. */
  readonly nowMs: number;
}

/**
 * Creates a session: the server issues a challenge, and the key of this device signs it together
 * with the server's id, so that no other server can use the signature. A malformed challenge is
 * never signed.
 */
export async function openSession(
  ask: Ask,
  { cert, key, server, nowMs }: SignIn,
): Promise<Session> {
  const at = `${server.baseUrl}/api/auth/identity-session`;
  const begun = await ask({ method: 'POST', url: `${at}/begin`, body: { cert } });
  const { challenge } = begun.body;
  if (!isHex32(challenge)) throw new IdentityError('challenge_malformed');
  const claim = { cert, challenge, serverId: server.serverId, ts: Math.floor(nowMs) };
  const sig = toBase64url(await key.sign(bytesToSign({ ...claim, cert: { ...cert } })));
  const done = await ask({ method: 'POST', url: `${at}/complete`, body: { ...claim, sig } });
  const { sessionToken, expiresAt } = done.body;
  if (!isText(sessionToken) || !/^[\x21-\x7e]{8,512}$/.test(sessionToken))
    throw new IdentityError('bad_reply', { detail: 'The session token is malformed.' });
  const expiresAtMs = isText(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(expiresAtMs))
    throw new IdentityError('bad_reply', {
      detail: 'The expiry of the session is not a valid time.',
    });
  return { token: sessionToken, expiresAtMs };
}
