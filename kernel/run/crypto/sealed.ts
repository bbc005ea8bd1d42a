/** AES-256-GCM. Each message has a nonce of its own: a repeated one would reveal the key stream. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What is sealed, and under what. */
export interface SealParts {
  readonly key: Buffer;
  readonly message: Buffer;
  readonly associated: Buffer;
}

/** The nonce, the ciphertext and the tag. */
export function sealBytes(
  { key, message, associated }: SealParts,
  random: (count: number) => Buffer,
): Buffer {
  const nonce = random(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associated);
  return Buffer.concat([nonce, cipher.update(message), cipher.final(), cipher.getAuthTag()]);
}

/** The message; `null` = it was not sealed with this key and these associated bytes. */
export function openBytes({ key, message, associated }: SealParts): Buffer | null {
  if (message.length < nonceBytes + tagBytes) return null;
  const nonce = message.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associated);
  decipher.setAuthTag(message.subarray(-tagBytes));
  try {
    return Buffer.concat([
      decipher.update(message.subarray(nonceBytes, -tagBytes)),
      decipher.final(),
    ]);
  } catch {
    return null;
  }
}
