/** The rules for every change of a profile. */
import type { Transaction } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import { type Limit, isFullAdmin, type Viewer } from '../viewer/index.ts';
import { findUser } from '../accounts/index.ts';
import { countProfilesOf, type StoredProfile } from './profile-store.ts';
import { parseAvatarUrl } from './profile.ts';
import type { LibraryAccess } from '../../contract/resources/accounts/accounts.ts';
import type { Profile } from '../../contract/resources/accounts/profiles.ts';

const mostPerUser = 50;

/** The viewer's own user, unless an admin names another. */
export function ownerFor(viewer: Viewer, userId: string | undefined): string {
  if (userId === undefined || userId === viewer.userId) return viewer.userId;
  if (isFullAdmin(viewer)) return userId;
  throw new AppError('forbidden', { what: 'userId: profiles of other users are for admins.' });
}

/** Without the hash of the PIN, which is never shown. */
export function shown({ pinHash: _, ...profile }: StoredProfile): Profile {
  return profile;
}

/** A client may write back the path that it read; other values must be web addresses. */
export const avatarFor = (before: StoredProfile, url: string | null): string | null =>
  url === null || url === before.avatarUrl ? url : parseAvatarUrl(url);

/** Limits the profiles per user, so that no user can fill the database. */
export async function assertRoomOfUser(trx: Transaction, userId: string): Promise<void> {
  if ((await countProfilesOf(trx, userId)) < mostPerUser) return;
  throw new AppError('conflict', { what: `A user can have ${mostPerUser} profiles.` });
}

/** The default profile of an admin must see everything; otherwise they could not administer. */
export async function assertFitsUser(trx: Transaction, profile: StoredProfile): Promise<void> {
  if (!profile.isDefault || profile.libraryAccess === null) return;
  if ((await findUser(trx, profile.userId))?.role !== 'admin') return;
  throw new AppError('invalid_request', {
    what: 'The default profile of an admin must see everything: its libraryAccess must be null.',
  });
}

/** A check against one PIN does not apply to a changed one. */
export function assertSamePin(now: StoredProfile, checked: StoredProfile): void {
  if (now.pinHash === checked.pinHash) return;
  throw new AppError('conflict', { what: 'The PIN was changed at the same moment. Try again.' });
}

/** The refusal of a change of the default profile. */
export const defaultStays = (what: string): AppError =>
  new AppError('conflict', {
    what: `The default profile cannot be ${what}: make another profile the default first.`,
  });

/** A list in the form that the audit log takes. */
export const plain = (access: Limit<LibraryAccess>) =>
  access && access.map((entry) => ({ ...entry }));

/** The changed fields of a profile; never a PIN. */
export function detailsOf(changes: object, access: Limit<LibraryAccess> | undefined) {
  const names = Object.entries(changes)
    .filter(([name, value]) => value !== undefined && name !== 'currentPin')
    .map(([name]) => name);
  return { changed: names, ...(access !== undefined && { libraryAccess: plain(access) }) };
}

/** For the audit log: the profile before and after, without the time of the change. */
export const changeOf = (before: StoredProfile, after: StoredProfile) => ({
  before,
  after: { ...after, updatedAt: before.updatedAt },
});

/** An entry of the audit log. */
export function entryOf<Details extends object>(
  action: string,
  { id, userId, name }: StoredProfile,
  actor: Viewer,
  details: Details,
) {
  return { actor, action, target: { type: 'profile', id }, details: { userId, name, ...details } };
}
