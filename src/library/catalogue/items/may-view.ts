import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { libraryShowing, type Access } from '../access/index.ts';
import { findItem } from '../tables/item-store.ts';

/** Whether a viewer may see the given item and library; an omitted one does not count. */
export type MayView = (
  viewer: Viewer,
  named: { readonly itemId?: string; readonly libraryId?: string },
) => Promise<boolean>;

export function createMayView({
  database,
  access,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'scopeOf'>;
}): MayView {
  return async (viewer, { itemId, libraryId }) => {
    const item = itemId === undefined ? undefined : await findItem(database.read, itemId);
    const scope = await access.scopeOf(viewer);
    if (libraryId !== undefined && !scope.libraries.some(({ id }) => id === libraryId))
      return false;
    if (itemId === undefined) return true;
    return item !== undefined && libraryShowing(scope, item) !== undefined;
  };
}
