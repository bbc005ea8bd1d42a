import { hkdfSync } from 'node:crypto';

/** A key of 32 bytes for one purpose: whoever learns it learns no other, nor the server's key. */
export const derivedKey = (serverKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', serverKey, '', purpose, 32));
