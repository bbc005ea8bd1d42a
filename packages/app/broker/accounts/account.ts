/** The users of the broker, with their passkeys, sessions and vaults. */
import type { Vault } from '../service/web-api.ts';

export interface User {
  readonly userId: string;
  readonly handle: string;
  readonly userPubKey: string;
  /** SHA-256 of a value that a page derives from the recovery code. */
  readonly recoveryHash: string;
  /** When the user declared the key compromised without having a new one yet. */
  readonly keyRevokedAt: number | null;
  readonly createdAt: number;
}

/** A passkey with the data that verifies its signatures. */
export interface StoredPasskey {
  /** The credential id of the authenticator, base64url. */
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
  /** It was created with a recovery code, and must create a passkey before anything else. */
  readonly isRecovery: boolean;
  readonly expiresAt: number;
}

/** The user of a request, from the cookie. */
export interface SignedInUser {
  readonly session: Session;
  readonly user: User;
}

export interface OwnedVault extends Vault {
  readonly userId: string;
}

/** A name in its comparison form, so that two names cannot look the same. */
export const handleKeyOf = (handle: string): string =>
  handle.normalize('NFKC').toLowerCase().normalize('NFKC');
