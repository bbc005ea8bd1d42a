/** Users of the broker, and what it keeps of them. */
import type { Vault } from './web-api.ts';

/** A user. */
export interface User {
  readonly userId: string;
  readonly handle: string;
  readonly userPubKey: string;
  /** SHA-256 of what a page derives from the recovery code. */
  readonly recoveryHash: string;
  /** The user said that the key is compromised, and has no other yet. */
  readonly keyRevokedAt: number | null;
  readonly createdAt: number;
}

/** A passkey with what signatures are checked with. */
export interface StoredPasskey {
  /** The authenticator's own id of it, base64url. */
  readonly id: string;
  readonly userId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** A session of a browser. */
export interface Session {
  readonly hash: string;
  readonly userId: string;
  readonly assertedAt: number;
  /** It came by a recovery code, and must make a passkey before anything else. */
  readonly isRecovery: boolean;
  readonly expiresAt: number;
}

/** Who asks, by the cookie. */
export interface SignedInUser {
  readonly session: Session;
  readonly user: User;
}

/** A vault and whose it is. */
export interface OwnedVault extends Vault {
  readonly userId: string;
}

/** A name as names are compared, so that two cannot look the same. */
export const handleKeyOf = (handle: string): string =>
  handle.normalize('NFKC').toLowerCase().normalize('NFKC');
