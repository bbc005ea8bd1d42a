/**
 * Verifies passkeys. A reply is matched by its challenge, which is consumed before the signature is
 * verified. The library for it is loaded at the first use. Attestation is neither requested nor
 * parsed.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { StoredPasskey } from './account.ts';
import { findPasskey, notePasskeyUse } from './account-store.ts';
import { readBrowserReply } from './browser-reply.ts';
import type { Challenges, ChallengeUse } from './challenges.ts';
import type { StoredChallenge } from './challenge-store.ts';
import { Refusal } from '../service/errors.ts';
import { minuteMs, type Core } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';

/** ES256, EdDSA, RS256. */
export const signatureAlgorithms = [-7, -8, -257] as const;

/** A verified passkey, with the challenge that it signed. */
export interface Assertion {
  readonly passkey: StoredPasskey;
  readonly challenge: StoredChallenge;
}

/** Verifies replies of browsers; rejects with `assertion_invalid`. */
export type PasskeyCheck = ReturnType<typeof createPasskeyCheck>;

export function createPasskeyCheck(core: Core, challenges: Challenges) {
  const { database, clock, limits, site } = core;
  const uses = createRate(clock, [{ most: limits.assertionsPerMinute, inMs: minuteMs }]);

  /**
   * A registered passkey; `userId` = its expected user, `null` = the passkey identifies the user.
   */
  const assert = async (
    credential: unknown,
    use: ChallengeUse,
    userId: string | null,
  ): Promise<Assertion> => {
    const { id, userHandle, challenge } = readBrowserReply(credential);
    const passkey = await findPasskey(database.read, id);
    if (!passkey) throw new Refusal('assertion_invalid');
    uses.take(passkey.userId);
    const taken = await challenges.take(use, challenge);
    const isTheirs = userHandle === null ? userId !== null : userHandle === passkey.userId;
    if (!isTheirs || (userId !== null && passkey.userId !== userId))
      throw new Refusal('assertion_invalid');
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The library validates each field of the reply.
      response: credential as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site().origin,
      expectedRPID: site().rpId,
      credential: { id, publicKey: passkey.publicKey, counter: passkey.counter },
      requireUserVerification: true,
    }).catch(refuse);
    if (!verified) return refuse();
    const noted = { id, from: passkey.counter, to: authenticationInfo.newCounter, at: clock.now() };
    if (!(await database.write((trx) => notePasskeyUse(trx, noted)))) return refuse();
    return { passkey, challenge: taken };
  };

  const register = async (
    credential: unknown,
    use: ChallengeUse,
    userId: string,
  ): Promise<StoredPasskey> => {
    const { challenge } = readBrowserReply(credential);
    await challenges.take(use, challenge);
    await assertNoCertificates(credential).catch(refuse);
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library validates each field of the reply.
      response: credential as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site().origin,
      expectedRPID: site().rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...signatureAlgorithms],
    }).catch(refuse);
    if (!verified) return refuse();
    const { credential: made, credentialBackedUp } = registrationInfo;
    return {
      id: made.id,
      userId,
      publicKey: made.publicKey,
      counter: made.counter,
      transports: knownTransports(made.transports),
      backedUp: credentialBackedUp,
      createdAt: clock.now(),
      lastUsedAt: null,
    };
  };

  return { assert, register };
}

function refuse(): never {
  throw new Refusal('assertion_invalid');
}

/** Refuses attestation certificates, which would have to be parsed as untrusted input. */
async function assertNoCertificates(reply: unknown): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const { response } = reply as { readonly response?: { readonly attestationObject?: unknown } };
  const bytes = Buffer.from(String(response?.attestationObject), 'base64url');
  const decoded = decodeAttestationObject(Uint8Array.from(bytes));
  const isOwn = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (decoded.get('fmt') !== 'none' && !isOwn) refuse();
}

/** The transport hints of the browser, without invalid values. */
const knownTransports = (transports: readonly unknown[] = []): readonly string[] =>
  transports
    .filter((one): one is string => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
    .slice(0, 10);
