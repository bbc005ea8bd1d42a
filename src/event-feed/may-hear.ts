import { isFullAdmin, type Viewer } from '../accounts/index.ts';
import type { Access } from '../library/index.ts';
import type { Concern, PastEvent } from './history.ts';

const concerns: readonly (readonly [start: string, Concern])[] = [
  ['admin.', 'admins'],
  ['plugin.', 'admins'],
  ['job.', 'admins'],
  ['playback.', 'player'],
  // They count all media files of a library.
  ['library.scan.', 'whole-library'],
];

/** Whom events of a name concern. */
export const concernOf = (type: string): Concern =>
  concerns.find(([start]) => type.startsWith(start))?.[1] ?? 'everybody';

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
  const { libraryId, itemId } = event;
  if (!isFullAdmin(viewer) && !isForOthers(viewer, event)) return false;
  if (libraryId === null) return itemId === null ? true : null;
  const sight = sightInto(viewer, libraryId);
  if (itemId !== null) return sight === 'some' ? null : sight === 'all';
  if (isFullAdmin(viewer) || sight === 'all') return true;
  return sight === 'some' && event.concerns !== 'whole-library';
}

function isForOthers(viewer: Viewer, { concerns, libraryId, profileId }: PastEvent): boolean {
  if (concerns === 'admins') return false;
  if (concerns === 'player') return profileId === viewer.profileId;
  return libraryId !== null;
}
