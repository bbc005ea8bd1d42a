/** Bytes that nobody can guess, from the platform: keys, salts and codes have no other source. */
export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length));
