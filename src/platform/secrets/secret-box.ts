/**
 * Encrypts texts for the database: AES-256-GCM with the server's key, with a new nonce each. The
 * context (the kind of text and its owner) is authenticated, so a text that is moved to another row
 * or column does not decrypt there.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** Encrypts and decrypts. */
export type SecretBox = ReturnType<typeof createSecretBox>;

const prefix = 'sealed1.';
const nonceBytes = 12;
const tagBytes = 16;

/** Creates a box with a 32-byte key. */
export function createSecretBox(serverKey: Buffer, random: (count: number) => Buffer) {
  const key = Buffer.from(hkdfSync('sha256', serverKey, '', 'vitrine secret box 1', 32));

  function seal(text: string, context: string): string {
    const nonce = random(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = [cipher.update(text, 'utf8'), cipher.final()];
    return prefix + Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString('base64url');
  }

  /** `null` when it does not decrypt: another key, another context, or changed since. */
  function open(sealed: string, context: string): string | null {
    if (!sealed.startsWith(prefix)) return null;
    const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return null;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const body = bytes.subarray(nonceBytes + tagBytes);
    try {
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  return { seal, open };
}
