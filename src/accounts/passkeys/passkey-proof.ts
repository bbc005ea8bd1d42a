import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Database, Transaction } from '../../../kernel/index.ts';
import { toTimestamp, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { readBrowserReply } from './browser-reply.ts';
import type { Challenges } from './challenges.ts';
import { findPasskey, notePasskeyUse } from './passkey-store.ts';
import { passkeyRefusal } from './refusals.ts';
import type { RelyingParty } from './relying-party.ts';

/** Who shows a passkey, and as what it counts. */
export interface ProofWanted {
  /** Whose it must be; `null` = it says so itself. */
  readonly userId: string | null;
  /** Beside a password it need not verify its user; alone it is both factors and must. */
  readonly isSecondFactor: boolean;
}

/** A passkey whose signature is right. */
export interface ProvenPasskey {
  readonly userId: string;
  /** Notes its use in the transaction that lets its user in. */
  readonly note: (trx: Transaction) => Promise<void>;
}

/** Checks what a browser sends; rejects with `passkey_refused`, which says why. */
export type PasskeyProof = (reply: unknown, wanted: ProofWanted) => Promise<ProvenPasskey>;

/** What the check is made of. */
export interface PasskeyProofParts {
  readonly database: Database;
  readonly challenges: Challenges;
  readonly relyingParty: () => RelyingParty;
  readonly clock: Clock;
}

/** What a challenge for signing in is given for. */
export const signInPurpose = 'sign-in';

/** Creates the check. The library behind it is loaded when the first passkey is looked at. */
export function createPasskeyProof(parts: PasskeyProofParts): PasskeyProof {
  const { database, challenges, relyingParty, clock } = parts;

  return async (reply, { userId, isSecondFactor }) => {
    const { id, userHandle, challenge } = readBrowserReply(reply);
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
    if (!challenges.isGood(challenge, signInPurpose)) throw refusal(staleChallenge);
    const passkey = await findPasskey(database.read, id);
    if (!passkey) throw refusal('It is not known here.');
    const handle = userHandle === null ? null : Buffer.from(userHandle, 'base64url').toString();
    const isTheirs = handle === null ? isSecondFactor : handle === passkey.userId;
    if (!isTheirs || (userId !== null && passkey.userId !== userId)) {
      throw refusal('It is not a passkey of that user.');
    }
    const { credentialId, publicKey, counter } = passkey;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The library checks each field of what it is given.
      response: reply as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: credentialId, publicKey, counter },
      requireUserVerification: !isSecondFactor,
    }).catch((error: unknown) => Promise.reject(passkeyRefusal(error)));
    if (!verified) throw passkeyRefusal(null);
    if (!challenges.spend(challenge)) throw refusal(staleChallenge);
    return {
      userId: passkey.userId,
      note: async (trx) => {
        const to = authenticationInfo.newCounter;
        const at = toTimestamp(clock.now());
        const isNoted = await notePasskeyUse(trx, { id: passkey.id, from: counter, to, at });
        if (!isNoted) throw refusal('It was removed or used elsewhere at this moment.');
      },
    };
  };
}

const staleChallenge = 'Its challenge was not given by this server, has ended or was used before.';

const refusal = (why: string): AppError => new AppError('passkey_refused', { why });
