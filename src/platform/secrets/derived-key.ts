import { hkdfSync } from 'node:crypto';

/**
 * A 32-byte key for one purpose. It reveals neither the server's key nor the keys of other
 * purposes.
 */
export const derivedKey = (serverKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', serverKey, '', purpose, 32));
