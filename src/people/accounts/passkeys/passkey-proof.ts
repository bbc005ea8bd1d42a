import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import { toTimestamp, type Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { readBrowserReply } from './browser-reply.ts';
import type { Challenges } from './challenges.ts';
import { findPasskey, notePasskeyUse } from './passkey-store.ts';
import { passkeyRefusal } from './refusals.ts';
import type { RelyingParty } from './relying-party.ts';

/** The expected owner of a passkey, and the factor for which it counts. */
export interface ProofWanted {
  /** The expected user; `null` = the passkey identifies its user. */
  readonly userId: string | null;
  /** With a password it need not verify its user. Alone it counts as both factors, so it must. */
  readonly isSecondFactor: boolean;
}

/** A passkey with a valid signature. */
export interface ProvenPasskey {
  readonly userId: string;
  /** Records the use in the transaction that signs the user in. */
  readonly note: (trx: Transaction) => Promise<void>;
}

/** Verifies the reply of a browser; rejects with `passkey_refused`, which gives the reason. */
export type PasskeyProof = (reply: unknown, wanted: ProofWanted) => Promise<ProvenPasskey>;

/** The dependencies of the check. */
export interface PasskeyProofParts {
  readonly database: Database;
  readonly challenges: Challenges;
  readonly relyingParty: () => RelyingParty;
  readonly clock: Clock;
}

/** The purpose of challenges for signing in. */
export const signInPurpose = 'sign-in';

/** Creates the check. The library behind it is loaded at the first use. */
export function createPasskeyProof(parts: PasskeyProofParts): PasskeyProof {
  const { database, challenges, relyingParty, clock } = parts;

  return async (reply, { userId, isSecondFactor }) => {
    const { id, userHandle, challenge } = readBrowserReply(reply);
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
    if (!challenges.isGood(challenge, signInPurpose)) throw refusal(staleChallenge);
    const passkey = await findPasskey(database.read, id);
    if (!passkey) throw refusal('It is not registered on this server.');
    const handle = userHandle === null ? null : Buffer.from(userHandle, 'base64url').toString();
    const isTheirs = handle === null ? isSecondFactor : handle === passkey.userId;
    if (!isTheirs || (userId !== null && passkey.userId !== userId)) {
      throw refusal('It is not a passkey of that user.');
    }
    const { credentialId, publicKey, counter } = passkey;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // The library validates each field of the reply.
      response: reply as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: credentialId, publicKey, counter },
      requireUserVerification: !isSecondFactor,
    }).catch((error: unknown) => Promise.reject(passkeyRefusal(error)));
    if (!verified) throw passkeyRefusal(null);
    if (!(await challenges.spend(challenge))) throw refusal(staleChallenge);
    return {
      userId: passkey.userId,
      note: async (trx) => {
        const to = authenticationInfo.newCounter;
        const at = toTimestamp(clock.now());
        const isNoted = await notePasskeyUse(trx, { id: passkey.id, from: counter, to, at });
        if (!isNoted) throw refusal('It was removed or used by another request at the same time.');
      },
    };
  };
}

const staleChallenge =
  'Its challenge was not issued by this server, has expired or was used before.';

const refusal = (why: string): AppError => new AppError('passkey_refused', { why });
