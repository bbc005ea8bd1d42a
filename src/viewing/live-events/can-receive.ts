import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Concern, PastEvent } from './history.ts';

const concerns: readonly (readonly [start: string, Concern])[] = [
  ['admin.', 'admins'],
  ['plugin.', 'admins'],
  ['job.', 'admins'],
  ['user.', 'admins'],
  ['backup.', 'admins'],
  ['playback.', 'player'],
  ['collection.', 'player'],
  // They count all media files of a library.
  ['library.scan.', 'whole-library'],
];

/** Who receives events with this name. */
export const concernOf = (type: string): Concern =>
  concerns.find(([start]) => type.startsWith(start))?.[1] ?? 'everybody';

/**
 * Whether the viewer may receive the event; `null` = that depends on its item or its entity, which
 * must be read.
 *
 * - An event about an item or an entity is for viewers who may see it, also among admins.
 * - A playback state, a mark or a collection of a profile is for that profile, and for admins.
 * - A change of a credential is also for its user.
 * - Of all other events an admin receives everything. Others receive the events of libraries that
 *   they may see - counts only if they see all of the library - and none that only an admin may
 *   request.
 */
export function canReceive(
  viewer: Viewer,
  event: PastEvent,
  { visibilityIn }: Pick<Access, 'visibilityIn'>,
): boolean | null {
  const { libraryId, itemId, entityId } = event;
  if (!isFullAdmin(viewer) && !isForOthers(viewer, event)) return false;
  if (entityId !== null) return null;
  if (libraryId === null) return itemId === null ? true : null;
  const visibility = visibilityIn(viewer, libraryId);
  if (itemId !== null) return visibility === 'some' ? null : visibility === 'all';
  if (isFullAdmin(viewer) || visibility === 'all') return true;
  return visibility === 'some' && event.concerns !== 'whole-library';
}

function isForOthers(viewer: Viewer, event: PastEvent): boolean {
  const { concerns, libraryId, profileId, userId } = event;
  if (concerns === 'admins') return userId === viewer.userId;
  if (concerns === 'player') return profileId === viewer.profileId;
  return libraryId !== null;
}
