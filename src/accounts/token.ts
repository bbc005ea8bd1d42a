import { createHash } from 'node:crypto';

/** 256 random bits need no slow hash: nobody finds them by trying. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
