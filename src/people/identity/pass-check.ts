/**
 * Checks a pass: steps 4 to 12 of section 3.4 of the protocol, in their order, which determines the
 * error code. The signature is checked before the link; otherwise anyone could use keys of the
 * public feed to learn who is linked where. Revocation is checked before expiry, so that an app
 * deletes its data. Only a valid signature is cached; everything else is checked again each time.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Queries } from '../../../kernel/store/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Link } from './link.ts';
import { findFormerKey, findLinkOfClient, findLink, type LinkOfClient } from './link-store.ts';
import {
  isForServer,
  isValidKey,
  isPassSigned,
  openPass,
  timeFault,
  type PassClaims,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';
import { revokedOn } from './revocation-store.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

/** A well-formed pass with a valid signature, which never changes. */
export interface SignedPass {
  readonly claims: PassClaims;
  /** SHA-256 of the pass as it was sent. */
  readonly hash: string;
}

/** Checks passes; each method rejects with the code of the first step that fails. */
export type PassCheck = ReturnType<typeof createPassCheck>;

export interface PassCheckParts {
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly serverId: string;
  /** Rejects while the feed of the link's broker is too old. */
  readonly assertFresh: (linkId: string) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

const mostKept = 1000;

export function createPassCheck(parts: PassCheckParts) {
  const { findUser, serverId, assertFresh, clock } = parts;
  const known = new LRUCache<string, PassClaims>({ max: mostKept });
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);

  /** The checks whose result never changes. */
  const open = async (cert: unknown): Promise<SignedPass> => {
    const hash = hashOfPass(cert);
    const kept = known.get(hash);
    if (kept) return { claims: kept, hash };
    const pass = openPass(cert);
    if (pass === 'cert_version') throw new AppError('cert_version', {});
    if (pass === 'cert_malformed' || !(await isValidKey(pass.claims.clientPubKey)))
      throw new AppError('cert_malformed', {});
    if (!(await isPassSigned(pass))) throw new AppError('cert_bad_signature', {});
    known.set(hash, pass.claims);
    return { claims: pass.claims, hash };
  };

  async function linkOf(trx: Queries, claims: PassClaims): Promise<LinkOfClient> {
    const found = (await findLinkOfClient(trx, claims)) ?? (await linkOfFormer(trx, claims));
    if (!found || found.link.state === 'unlinked' || found.link.userId !== claims.userId)
      throw new AppError('identity_unknown', {});
    if (found.link.state === 'relink_required') throw new AppError('identity_relink_required', {});
    return found;
  }

  /** A replaced key stays valid for a while. */
  async function linkOfFormer(
    trx: Queries,
    { userPubKey: key, clientId }: PassClaims,
  ): Promise<LinkOfClient | undefined> {
    const former = await findFormerKey(trx, key);
    const link = former && (await findLink(trx, former.linkId));
    if (link?.state === 'active' && former && former.acceptedUntil <= nowSeconds())
      throw new AppError('identity_rotated', {});
    const { userPubKey } = link ?? { userPubKey: key };
    return link && { link, revokedOn: await revokedOn(trx, { userPubKey, clientId }) };
  }

  /**
   * The checks whose result may change; returns the link of the pass. To create a session, call it
   * in the transaction that writes the session, so that a concurrent revocation cannot be missed.
   */
  const assertGood = async (trx: Queries, { claims }: SignedPass): Promise<Link> => {
    const { link, revokedOn: servers } = await linkOf(trx, claims);
    const user = await findUser(link.localUserId);
    if (!user) throw new AppError('identity_unknown', {});
    if (user.disabled) throw new AppError('account_disabled', {});
    if (servers.some((ids) => ids === null || ids.includes(serverId)))
      throw new AppError('identity_revoked', {});
    if (link.awaitsFeed) throw new AppError('identity_feed_pending', {});
    await assertFresh(link.id);
    assertTimes(claims, nowSeconds());
    if (!isForServer(claims, serverId)) throw new AppError('scope_denied', {});
    return link;
  };

  return { open, assertGood };
}

function assertTimes(claims: PassClaims, nowSeconds: number): void {
  switch (timeFault(claims, nowSeconds)) {
    case 'cert_lifetime':
      throw new AppError('cert_lifetime', {});
    case 'cert_not_yet_valid':
      throw new AppError('cert_not_yet_valid', {});
    case 'cert_expired':
      throw new AppError('cert_expired', {});
    case null:
  }
}

/** The input is untrusted: without the two texts it has no hash. */
function hashOfPass(cert: unknown): string {
  const { payload, sig } = (cert ?? {}) as Partial<SignedObject>;
  const text = JSON.stringify([payload, sig, Object.keys(cert ?? {}).length]);
  return createHash('sha256').update(text).digest('hex');
}
