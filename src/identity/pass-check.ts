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
import { findFormerKey, findLink, findLinkByKey } from './link-store.ts';
import {
  isForServer,
  isKeyToKeep,
  isPassSigned,
  openPass,
  timeFault,
  type OpenedPass,
  type PassClaims,
  type SignedObject,
} from './primitives/index.ts';
import { isRevoked } from './revocation-store.ts';

/** A pass that is good at this moment. */
export interface GoodPass {
  readonly claims: PassClaims;
  /** SHA-256 of the pass as it was sent. */
  readonly hash: string;
  readonly link: Link;
}

/** Looks at passes. */
export interface PassCheck {
  /** Rejects with the code of the first step that fails. */
  readonly check: (cert: unknown) => Promise<GoodPass>;
  /** Whether what can change is still as it was: asked where a session is written. */
  readonly assertStillGood: (trx: Queries, pass: GoodPass) => Promise<void>;
}

/** What it is made of. */
export interface PassCheckParts {
  readonly read: Queries;
  readonly findUser: (id: string) => Promise<User | undefined>;
  readonly serverId: string;
  /** Rejects while the word of the link's broker is too old. */
  readonly assertFresh: (linkId: string) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

const mostKept = 1000;

/** Creates the check. */
export function createPassCheck(parts: PassCheckParts): PassCheck {
  const { read, findUser, serverId, assertFresh, clock } = parts;
  const known = new LRUCache<string, OpenedPass>({ max: mostKept });
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);

  async function verified(cert: unknown): Promise<OpenedPass & { readonly hash: string }> {
    const hash = hashOfPass(cert);
    const kept = known.get(hash);
    if (kept) return { ...kept, hash };
    const pass = openPass(cert);
    if (pass === 'cert_version') throw new AppError('cert_version', {});
    if (pass === 'cert_malformed' || !(await isKeyToKeep(pass.claims.clientPubKey)))
      throw new AppError('cert_malformed', {});
    if (!(await isPassSigned(pass))) throw new AppError('cert_bad_signature', {});
    known.set(hash, pass);
    return { ...pass, hash };
  }

  async function linkOf(trx: Queries, { userPubKey, userId }: PassClaims): Promise<Link> {
    const link = (await findLinkByKey(trx, userPubKey)) ?? (await linkOfFormer(trx, userPubKey));
    if (!link || link.state === 'unlinked' || link.userId !== userId)
      throw new AppError('identity_unknown', {});
    if (link.state === 'relink_required') throw new AppError('identity_relink_required', {});
    return link;
  }

  /** A key that was rotated out is as good as the new one for a while. */
  async function linkOfFormer(trx: Queries, key: string): Promise<Link | undefined> {
    const former = await findFormerKey(trx, key);
    const link = former && (await findLink(trx, former.linkId));
    if (link?.state === 'active' && former && former.acceptedUntil <= nowSeconds())
      throw new AppError('identity_rotated', {});
    return link;
  }

  async function assertGood(trx: Queries, claims: PassClaims): Promise<Link> {
    const link = await linkOf(trx, claims);
    const user = await findUser(link.localUserId);
    if (!user) throw new AppError('identity_unknown', {});
    if (user.disabled) throw new AppError('account_disabled', {});
    const client = { userPubKey: link.userPubKey, clientId: claims.clientId };
    if (await isRevoked(trx, client, serverId)) throw new AppError('identity_revoked', {});
    await assertFresh(link.id);
    return link;
  }

  return {
    check: async (cert) => {
      const { claims, hash } = await verified(cert);
      const link = await assertGood(read, claims);
      assertTimes(claims, nowSeconds());
      if (!isForServer(claims, serverId)) throw new AppError('scope_denied', {});
      return { claims, hash, link };
    },
    assertStillGood: async (trx, { claims }) => {
      await assertGood(trx, claims);
    },
  };
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
