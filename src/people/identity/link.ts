/**
 * The link between a local user and an identity: the pinned key whose passes sign in to this
 * server.
 */
import { createHash } from 'node:crypto';
import { fromHex32, type SignedObject } from '../../../packages/lib/identity-protocol/index.ts';

/** The state of a link; `relink_required` = its key is compromised, or was replaced. */
export type LinkState = 'active' | 'relink_required' | 'unlinked';

/** A link as stored. */
export interface Link {
  readonly id: string;
  readonly localUserId: string;
  /** The pinned key, 64 hex digits. */
  readonly userPubKey: string;
  /** The broker's id of the user, which stays the same with a new key. */
  readonly userId: string;
  /** The broker whose feed concerns the link; the setting may have changed since. */
  readonly identityUrl: string;
  readonly state: LinkState;
  /** Whether a new key that the old one signed is pinned automatically. */
  readonly followsRotation: boolean;
  /** The grant that the identity signed. */
  readonly grant: SignedObject;
  /** Seconds: when it was signed. */
  readonly grantIat: number;
  readonly linkedAt: string;
  /**
   * The feed of its broker was not read whole since the link was written, so a revocation may be
   * unknown. Until then no app can sign in with it.
   */
  readonly awaitsFeed: boolean;
}

/**
 * The fingerprint that users compare: the first 16 hex digits of the SHA-256 of the raw key, in 4
 * groups.
 */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256').update(fromHex32(key)).digest('hex').slice(0, 16);
  return (digest.match(/.{4}/g) ?? []).join(' ');
}
