import { isFullAdmin, type Viewer } from '../accounts/index.ts';
import type { PastEvent } from './history.ts';

/** Tells whether a viewer may see what is in a library. */
export type MaySeeLibrary = (viewer: Viewer, libraryId: string) => boolean;

const forAdmins = /^(admin|plugin|job)\./;

/**
 * Whether the viewer may hear the event. An admin hears everything; everybody else hears what
 * happens in the libraries that they may see, and nothing of what only an admin may ask for.
 */
export function mayHear(viewer: Viewer, event: PastEvent, maySee: MaySeeLibrary): boolean {
  if (isFullAdmin(viewer)) return true;
  if (event.libraryId === null || forAdmins.test(event.type)) return false;
  return maySee(viewer, event.libraryId);
}
