import type { Queries } from '../../kernel/index.ts';
import { maySeeLibrary, type Viewer } from '../accounts/index.ts';
import { readLibraries, type LibraryRow } from './library-store.ts';

/**
 * Whether a viewer may see what is in a library: the one filter that every item, file, entity and
 * search goes through. Hidden libraries need a license, so nobody sees into them without one.
 */
export function maySeeInto(viewer: Viewer, library: Pick<LibraryRow, 'id' | 'hidden'>): boolean {
  return !library.hidden && maySeeLibrary(viewer, library.id);
}

/** The libraries whose content a viewer may see. */
export async function readVisibleLibraries(
  db: Queries,
  viewer: Viewer,
): Promise<readonly LibraryRow[]> {
  return (await readLibraries(db)).filter((library) => maySeeInto(viewer, library));
}
