/** The key of this device. Whoever holds it can sign, nobody can read it out. */
export interface ClientKey {
  /** Ed25519, 64 hex digits in lower case. */
  readonly publicKey: string;
  /** 64 bytes, RFC 8032. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;
}

/** Where the one key of this app on this device is kept. It never leaves the device. */
export interface KeyStore {
  /** `null` when there is none. */
  readonly load: () => Promise<ClientKey | null>;
  /** Makes a key and keeps it; gives the one that is there when somebody else was faster. */
  readonly create: () => Promise<ClientKey>;
  readonly remove: () => Promise<void>;
}
