import type { Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';

/** A domain that stores data per profile, and removes it in the same transaction. */
export interface ProfileFollower {
  readonly removed: (trx: Transaction, profileId: string) => Promise<void>;
}

const longestUrl = 2000;

/** The web address of a picture, or a refusal. */
export function parseAvatarUrl(text: string): string {
  const url = text.length > longestUrl ? null : URL.parse(text);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw new AppError('invalid_request', {
    what: `avatarUrl must be an https:// address of at most ${longestUrl} characters, without a user name or password in it.`,
  });
}

/**
 * The path of an uploaded picture. It changes with the picture, so clients may cache it for long.
 */
export const avatarPath = (profileId: string, hash: string): string =>
  `/api/profiles/${profileId}/avatar?v=${hash.slice(0, 16)}`;
