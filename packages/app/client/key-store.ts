/** The key of this device. It can sign, and its private part cannot be read. */
export interface ClientKey {
  /** Ed25519, 64 hex digits in lower case. */
  readonly publicKey: string;
  /** 64 bytes, RFC 8032. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

/** The store of the one key of this app on this device. The key never leaves the device. */
export interface KeyStore {
  /** `null` when there is none. */
  readonly load: () => Promise<ClientKey | null>;
  /** Creates and stores a key; returns the existing one when another tab was faster. */
  readonly create: () => Promise<ClientKey>;
  readonly remove: () => Promise<void>;
}
