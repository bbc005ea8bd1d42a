/**
 * How an app signs in: it shows its pass and is given a challenge, it signs the challenge with its own
 * key and is given a session. The order of the checks is that of the protocol's section 3.4.
 */
import type { Database } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Challenges } from './challenges.ts';
import { hasAnyLink } from './link-store.ts';
import type { PassCheck } from './pass-check.ts';
import { bytesToSign, fromBase64url, isSignedBy } from './primitives/index.ts';
import type { RequestRates } from './request-rates.ts';
import type { FreshIdentitySession, IdentitySessions } from './sessions.ts';

/** What an app sends to end its sign-in; `sig` is over the canonical text of the rest. */
export interface Completion {
  readonly cert: Readonly<Record<string, unknown>>;
  readonly serverId: string;
  readonly challenge: string;
  /** Milliseconds by the app's clock. */
  readonly ts: number;
  readonly sig: string;
}

/** Signing in with a pass. */
export interface IdentitySignIn {
  /** Before anything of a request is read; throws `rate_limited`. */
  readonly admit: RequestRates['admit'];
  readonly begin: (cert: unknown, network: string) => Promise<{ readonly challenge: string }>;
  readonly complete: (completion: Completion, network: string) => Promise<FreshIdentitySession>;
}

/** What it is made of. */
export interface IdentitySignInParts {
  readonly database: Database;
  readonly serverId: string;
  readonly rates: RequestRates;
  readonly challenges: Challenges;
  readonly passes: PassCheck;
  readonly sessions: Pick<IdentitySessions, 'open' | 'ended'>;
  readonly clock: Pick<Clock, 'now'>;
}

const leewayMs = 300_000;

/** Creates it. */
export function createIdentitySignIn(parts: IdentitySignInParts): IdentitySignIn {
  const { database, serverId, rates, challenges, passes, sessions, clock } = parts;

  const begin: IdentitySignIn['begin'] = async (cert, network) => {
    if (!(await hasAnyLink(database.read))) throw new AppError('identity_disabled', {});
    const { hash: certHash, claims } = await passes.check(cert);
    return { challenge: challenges.issue({ certHash, clientId: claims.clientId, network }) };
  };

  const complete: IdentitySignIn['complete'] = async ({ sig, ...signed }, network) => {
    if (signed.serverId !== serverId) throw new AppError('wrong_server', {});
    const now = clock.now();
    if (Math.abs(now - signed.ts) > leewayMs)
      throw new AppError('clock_skew', { serverTime: String(now) });
    const certHash = challenges.take(signed.challenge);
    if (certHash === null) throw new AppError('challenge_invalid', {});
    const pass = await passes.check(signed.cert);
    if (pass.hash !== certHash) throw new AppError('challenge_invalid', {});
    const signature = fromBase64url(sig);
    const { clientPubKey } = pass.claims;
    if (!signature || !(await isSignedBy(clientPubKey, bytesToSign({ ...signed }), signature)))
      throw new AppError('bad_signature', {});
    const { link, claims } = pass;
    const { ended, ...fresh } = await database.write(async (trx) => {
      // What was revoked or unlinked since the check must not come in behind it.
      await passes.assertStillGood(trx, pass);
      return sessions.open(trx, { link, claims, network });
    });
    sessions.ended(ended);
    rates.know(network);
    return fresh;
  };

  return { admit: rates.admit, begin, complete };
}
