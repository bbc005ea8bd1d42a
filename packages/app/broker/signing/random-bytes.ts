/** Cryptographically secure random bytes: the only source of keys, salts and codes. */
export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length));
