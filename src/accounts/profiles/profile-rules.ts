/** The rules of profiles that hold whoever changes one. */
import type { Transaction } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import type { LibraryAccess } from '../library-access.ts';
import { findUser } from '../user-store.ts';
import { isFullAdmin, type Viewer } from '../viewer.ts';
import { countProfilesOf, type StoredProfile } from './profile-store.ts';
import { parseAvatarUrl, type Profile } from './profile.ts';

const mostPerUser = 50;

/** Oneself, unless an admin names somebody. */
export function ownerFor(viewer: Viewer, userId: string | undefined): string {
  if (userId === undefined || userId === viewer.userId) return viewer.userId;
  if (isFullAdmin(viewer)) return userId;
  throw new AppError('forbidden', { what: 'userId: profiles of other users are for admins.' });
}

/** Without the hash of the PIN, which nobody is shown. */
export function shown({ pinHash: _, ...profile }: StoredProfile): Profile {
  return profile;
}

/** What a client read, it may write back; otherwise only addresses of the web. */
export const avatarFor = (before: StoredProfile, url: string | null): string | null =>
  url === null || url === before.avatarUrl ? url : parseAvatarUrl(url);

/** Nobody fills the database with profiles. */
export async function assertRoomOfUser(trx: Transaction, userId: string): Promise<void> {
  if ((await countProfilesOf(trx, userId)) < mostPerUser) return;
  throw new AppError('conflict', { what: `A user can have ${mostPerUser} profiles.` });
}

/** An admin who does not see everything could not administer; so their default profile does. */
export async function assertFitsUser(trx: Transaction, profile: StoredProfile): Promise<void> {
  if (!profile.isDefault || profile.libraryAccess.length === 0) return;
  if ((await findUser(trx, profile.userId))?.role !== 'admin') return;
  throw new AppError('invalid_request', {
    what: 'The default profile of an admin sees everything: leave its libraryAccess empty.',
  });
}

/** What was checked against one PIN does not hold for another. */
export function assertSamePin(now: StoredProfile, checked: StoredProfile): void {
  if (now.pinHash === checked.pinHash) return;
  throw new AppError('conflict', { what: 'The PIN was changed at the same moment. Try again.' });
}

/** Why the default profile stays as it is. */
export const defaultStays = (what: string): AppError =>
  new AppError('conflict', {
    what: `The default profile cannot be ${what}: make another one the default first.`,
  });

/** A list as the audit log takes it. */
export const plain = (access: readonly LibraryAccess[]) => access.map((entry) => ({ ...entry }));

/** What of a profile was changed; never a PIN. */
export function detailsOf(changes: object, access: readonly LibraryAccess[] | undefined) {
  const names = Object.entries(changes)
    .filter(([name, value]) => value !== undefined && name !== 'currentPin')
    .map(([name]) => name);
  return { changed: names, ...(access && { libraryAccess: plain(access) }) };
}

/** An entry of the audit log. */
export function entryOf<Details extends object>(
  action: string,
  { id, userId, name }: StoredProfile,
  actor: Viewer,
  details: Details,
) {
  return { actor, action, target: { type: 'profile', id }, details: { userId, name, ...details } };
}
