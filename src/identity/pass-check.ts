/**
 * Whether a pass opens this server now: steps 4 to 12 of the protocol's section 3.4, in their order,
 * which decides what a client is told. The signature stands before the link, or anybody could ask
 * with keys of the public feed who is linked where; revoked stands before expired, so that an app
 * clears what it has. That a pass is well signed never changes and is kept; all else is asked anew.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Queries } from '../../kernel/index.ts';
import type { User } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Link } from './link.ts';
import { findFormerKey, findLinkOfClient, findLink, type LinkOfClient } from './link-store.ts';
import {
  isForServer,
  isKeyToKeep,
  isPassSigned,
  openPass,
  timeFault,
  type PassClaims,
  type SignedObject,
} from './primitives/index.ts';
import { revokedOn } from './revocation-store.ts';

/** A pass that is well formed and well signed, which it stays. */
export interface SignedPass {
  readonly claims: PassClaims;
  /** SHA-256 of the pass as it was sent. */
  readonly hash: string;
}

/** Looks at passes; each rejects with the code of the first step that fails. */
export interface PassCheck {
  /** What never changes of a pass. */
  readonly open: (cert: unknown) => Promise<SignedPass>;
  /**
   * What does change; gives whose pass it is. Where a session is written it is asked in that very
   * transaction: what was revoked or unlinked meanwhile must not come in.
   */
  readonly assertGood: (trx: Queries, pass: SignedPass) => Promise<Link>;
}

/** What it is made of. */
export interface PassCheckParts {
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly serverId: string;
  /** Rejects while the word of the link's broker is too old. */
  readonly assertFresh: (linkId: string) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

const mostKept = 1000;

/** Creates the check. */
export function createPassCheck(parts: PassCheckParts): PassCheck {
  const { findUser, serverId, assertFresh, clock } = parts;
  const known = new LRUCache<string, PassClaims>({ max: mostKept });
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);

  const open: PassCheck['open'] = async (cert) => {
    const hash = hashOfPass(cert);
    const kept = known.get(hash);
    if (kept) return { claims: kept, hash };
    const pass = openPass(cert);
    if (pass === 'cert_version') throw new AppError('cert_version', {});
    if (pass === 'cert_malformed' || !(await isKeyToKeep(pass.claims.clientPubKey)))
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

  /** A key that was rotated out is as good as the new one for a while. */
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

  const assertGood: PassCheck['assertGood'] = async (trx, { claims }) => {
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

/** The object is whatever was sent: what has no texts to hash has none of its own. */
function hashOfPass(cert: unknown): string {
  const { payload, sig } = (cert ?? {}) as Partial<SignedObject>;
  const text = JSON.stringify([payload, sig, Object.keys(cert ?? {}).length]);
  return createHash('sha256').update(text).digest('hex');
}
