import { createHash } from 'node:crypto';

/** A fast hash is enough: 256 random bits cannot be guessed. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
