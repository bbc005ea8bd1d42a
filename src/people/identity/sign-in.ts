/**
 * The sign-in of an app: it sends its pass and receives a challenge, signs the challenge with its
 * own key and receives a session. The order of the checks is that of section 3.4 of the protocol.
 */
import type { Database } from '../../../kernel/store/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Challenges } from './challenges.ts';
import { hasAnyLink } from './link-store.ts';
import type { PassCheck, SignedPass } from './pass-check.ts';
import {
  bytesToSign,
  fromBase64url,
  isSignedBy,
} from '../../../packages/lib/identity-protocol/index.ts';
import type { RequestRates } from './request-rates.ts';
import type { IdentitySessions } from './sessions.ts';
import type {
  Completion,
  FreshIdentitySession,
} from '../../contract/resources/accounts/identity-sessions.ts';

/** Signing in with a pass. */
export type IdentitySignIn = ReturnType<typeof createIdentitySignIn>;

export interface IdentitySignInParts {
  readonly database: Database;
  readonly serverId: string;
  readonly rates: RequestRates;
  /** Whether an identity was linked at the last count. */
  readonly isLinked: () => boolean;
  readonly challenges: Challenges;
  readonly passes: PassCheck;
  readonly sessions: Pick<IdentitySessions, 'open' | 'ended'>;
  readonly clock: Pick<Clock, 'now'>;
}

const leewayMs = 300_000;

export function createIdentitySignIn(parts: IdentitySignInParts) {
  const { database, serverId, rates, isLinked, challenges, passes, sessions, clock } = parts;

  const assertEnabled = async (): Promise<void> => {
    if (!(await hasAnyLink(database.read))) throw new AppError('identity_disabled', {});
  };

  const begin = async (cert: unknown): Promise<{ readonly challenge: string }> => {
    // A valid pass has a link, so only otherwise the existence of any link is checked.
    if (!isLinked()) await assertEnabled();
    const { hash } = await checked(cert).catch(async (error: unknown) => {
      await assertEnabled();
      throw error;
    });
    return { challenge: challenges.issue(hash) };
  };

  async function checked(cert: unknown): Promise<SignedPass> {
    const pass = await passes.open(cert);
    await passes.assertGood(database.read, pass);
    return pass;
  }

  async function isByClient(
    { claims }: SignedPass,
    sig: string,
    signed: Omit<Completion, 'sig'>,
  ): Promise<boolean> {
    const signature = fromBase64url(sig);
    if (signature === null) return false;
    return isSignedBy(claims.clientPubKey, bytesToSign({ ...signed }), signature);
  }

  const complete = async (
    { sig, ...signed }: Completion,
    network: string,
  ): Promise<FreshIdentitySession> => {
    if (signed.serverId !== serverId) throw new AppError('wrong_server', {});
    const now = clock.now();
    if (Math.abs(now - signed.ts) > leewayMs)
      throw new AppError('clock_skew', { serverTime: String(now) });
    const wasFor = await challenges.take(signed.challenge);
    if (wasFor === null) throw new AppError('challenge_invalid', {});
    const pass = await passes.open(signed.cert);
    const isSame = wasFor(pass.hash);
    if (!isSame || !(await isByClient(pass, sig, signed))) {
      // Faults of the pass are reported first, although they are checked last.
      await passes.assertGood(database.read, pass);
      throw isSame ? new AppError('bad_signature', {}) : new AppError('challenge_invalid', {});
    }
    const { ended, ...fresh } = await database.write(async (trx) => {
      const link = await passes.assertGood(trx, pass);
      return sessions.open(trx, { link, claims: pass.claims, network });
    });
    sessions.ended(ended);
    rates.know(network);
    return fresh;
  };

  return {
    /** Called before a request is parsed; throws `rate_limited`. */
    admit: rates.admit,
    begin,
    complete,
  };
}
