import { isFullAdmin, type Viewer } from '../accounts/index.ts';
import type { Access } from '../library/index.ts';
import type { PastEvent } from './history.ts';

const forAdmins = /^(admin|plugin|job)\./;
const ofPlayback = /^playback\./;
/** They count all media files of a library. */
const ofScan = /^library\.scan\./;

/**
 * Whether the viewer may hear the event; `null` = it is about an item, which has to be looked at.
 *
 * - What is about an item is for those who may see it, admins not excepted.
 * - How far a profile is in an item is for that profile, and for admins.
 * - Of the rest an admin hears everything. Everybody else hears what happens in the libraries that
 *   they may see - counts only where they see all of it - and nothing that only an admin may ask for.
 */
export function mayHear(
  viewer: Viewer,
  event: PastEvent,
  { sightInto }: Pick<Access, 'sightInto'>,
): boolean | null {
  const { type, libraryId, itemId } = event;
  if (!isFullAdmin(viewer) && !isForOthers(viewer, event)) return false;
  if (libraryId === null) return itemId === null ? true : null;
  const sight = sightInto(viewer, libraryId);
  if (itemId !== null) return sight === 'some' ? null : sight === 'all';
  return isFullAdmin(viewer) || sight === 'all' || (sight === 'some' && !ofScan.test(type));
}

function isForOthers(viewer: Viewer, { type, libraryId, profileId }: PastEvent): boolean {
  if (forAdmins.test(type)) return false;
  if (ofPlayback.test(type)) return profileId === viewer.profileId;
  return libraryId !== null;
}
