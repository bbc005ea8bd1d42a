import type { Transaction } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import type { LibraryAccess } from '../library-access.ts';

/** As whom a user watches: each has its own playback state, and may see less than the user may. */
export interface Profile {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** `https://…`, or the path of a picture that was uploaded. */
  readonly avatarUrl: string | null;
  /** Narrows what the user may see; empty = all of that. */
  readonly libraryAccess: readonly LibraryAccess[];
  /** Requests without `X-Profile-Id` act as it. Every user has exactly one. */
  readonly isDefault: boolean;
  readonly hasPin: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What another domain keeps for each profile, and removes in the same transaction. */
export interface ProfileFollower {
  readonly removed: (trx: Transaction, profileId: string) => Promise<void>;
}

const longestUrl = 2000;

/** The address of a picture on the web, or a refusal. */
export function parseAvatarUrl(text: string): string {
  const url = text.length > longestUrl ? null : URL.parse(text);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw new AppError('invalid_request', {
    what: `avatarUrl must be an https:// address of at most ${longestUrl} characters, without a name or password in it.`,
  });
}

/** The path of an uploaded picture. It changes with the picture, so that it can be kept for long. */
export const avatarPath = (profileId: string, hash: string): string =>
  `/api/profiles/${profileId}/avatar?v=${hash.slice(0, 16)}`;
