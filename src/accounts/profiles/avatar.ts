import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Avatar } from './avatar-store.ts';

const mostBytes = 1024 * 1024;

/**
 * A picture from its base64 text. What it is, its first bytes say, never the client; and only what
 * cannot carry a script is taken.
 */
export function parseAvatar(
  base64: string,
  pictureType: (body: Uint8Array) => string | null,
): Avatar {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > mostBytes) {
    throw new AppError('too_large', { what: 'image is above 1 MiB.' });
  }
  const mediaType = isBase64(base64) ? pictureType(bytes) : null;
  if (mediaType === null) {
    throw new AppError('invalid_request', {
      what: 'image must be a JPEG, PNG, GIF, WebP or AVIF picture in base64.',
    });
  }
  return { mediaType, hash: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** Node skips what is no base64; a text that holds something else is not what its sender meant. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
