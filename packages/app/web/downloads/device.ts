/**
 * Who may see what is kept. While a user is signed in and the profile is unlocked, the database names
 * them, and the service worker gives only what they keep. It names nobody after a sign-out or after the
 * server ended the session, and what others kept is removed as soon as another person is signed in.
 */
import { effect } from '@preact/signals';
import {
  isLocked,
  markKept,
  openedProfileId,
  preferences,
  profile,
  viewer,
} from '../core/session.ts';
import { isStillMe } from '../core/still-me.ts';
import {
  readOpened,
  removeEverything,
  removeOthers,
  writeOpened,
  type Opened,
} from './kept-store.ts';

/** Writes the person who is in; `null` while the profile is locked. */
function openedNow(): Opened | null {
  const [me, one] = [viewer.value, profile.value];
  if (me === null || one === undefined || isLocked.value) return null;
  if (openedProfileId.value !== me.profileId) return null;
  // Without the token of the session.
  const { credentialId, credentialKind, role, libraryIds, readOnly, profileId, user } = me;
  const known = { credentialId, credentialKind, role, libraryIds, readOnly, profileId, user };
  return {
    userId: user.id,
    profileId,
    viewer: known,
    profile: one,
    preferences: preferences.value,
  };
}

let following: (() => void) | undefined;
let writing = Promise.resolve();

/**
 * Opens the device for who is in, now and whenever that changes. Resolves when others have nothing here.
 * While it is not known who is in, it changes nothing: without the server it is who was in last.
 */
export async function followViewer(): Promise<void> {
  if (following !== undefined || viewer.peek() === null) return;
  following = effect(() => {
    const opened = openedNow();
    if (!isStillMe()) return;
    writing = writing.then(() => writeOpened(opened)).catch(() => {});
  });
  const userId = viewer.peek()?.user.id;
  if (userId !== undefined && isStillMe()) await removeOthers(userId);
  await writing;
}

/** Shows nothing of it to anybody until the same person is signed in again. */
export async function lockDevice(): Promise<void> {
  following?.();
  following = undefined;
  await writing;
  await writeOpened(null);
}

/** Removes all of it. */
export async function clearDevice(): Promise<void> {
  await lockDevice();
  await removeEverything();
  markKept(false);
}

/** Who was in last; `undefined` = nobody, or the session ended. */
export const lastOpened = readOpened;
