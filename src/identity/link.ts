/** What ties a local user to an identity: the pinned key whose passes open this server. */
import { createHash } from 'node:crypto';
import { fromHex32, type SignedObject } from './primitives/index.ts';

/** What a link is good for; `relink_required` = its key is, or may be, no more the user's own. */
export type LinkState = 'active' | 'relink_required' | 'unlinked';

/** A link as it is kept. */
export interface Link {
  readonly id: string;
  readonly localUserId: string;
  /** The pinned key, 64 hex digits. */
  readonly userPubKey: string;
  /** The broker's name of the user; it survives a new key. */
  readonly userId: string;
  /** Whose feed tells of it; the setting may be another one by now. */
  readonly identityUrl: string;
  readonly state: LinkState;
  /** Whether a new key that the old one signed is pinned without asking. */
  readonly followsRotation: boolean;
  /** What the identity signed to be linked. */
  readonly grant: SignedObject;
  /** Seconds: when it was signed. */
  readonly grantIat: number;
  readonly linkedAt: string;
  /**
   * The feed of its broker was not read whole since it was written: a device may be revoked of which this
   * server has not heard. Until then nobody signs in by it.
   */
  readonly awaitsFeed: boolean;
}

/** What people compare: SHA-256 of the raw key, its first 16 hex digits in 4 groups. */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256').update(fromHex32(key)).digest('hex').slice(0, 16);
  return (digest.match(/.{4}/g) ?? []).join(' ');
}
