import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { readVisibleLibraries } from './access.ts';
import { findItem } from './item-store.ts';

/** Whether a viewer may see the item and the library that are named; what is not named may be seen. */
export type MayView = (
  viewer: Viewer,
  named: { readonly itemId?: string; readonly libraryId?: string },
) => Promise<boolean>;

export function createMayView({
  database,
}: {
  readonly database: Pick<Database, 'read'>;
}): MayView {
  const db = database.read;
  return async (viewer, { itemId, libraryId }) => {
    const libraries = await readVisibleLibraries(db, viewer);
    if (libraryId !== undefined && !libraries.some(({ id }) => id === libraryId)) return false;
    if (itemId === undefined) return true;
    const item = await findItem(db, itemId);
    return libraries.some(({ no }) => no === item?.library_no);
  };
}
