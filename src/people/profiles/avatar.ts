import { createHash } from 'node:crypto';
import { AppError } from '../../platform/errors.ts';
import type { Avatar } from './avatar-store.ts';

const mostBytes = 1024 * 1024;

/**
 * Decodes a picture from base64. Its first bytes determine its type, not the client, and only types
 * that cannot contain a script are accepted.
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

/** Node skips characters that are not base64, so such a text is refused before it is decoded. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
