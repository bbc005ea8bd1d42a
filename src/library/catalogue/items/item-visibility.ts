import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { readEntitiesById } from '../entities/entity-list-store.ts';
import { readEntitiesNamed, readItemsOfParts } from '../entities/named-store.ts';
import { libraryShowing, type Access, type RatedRow } from '../access/index.ts';

/** What a viewer may see, for limiting a plugin that works for that viewer. */
export interface ItemVisibility extends Pick<
  Access,
  'seesAll' | 'showsHidden' | 'visibilityIn' | 'visibilityOf'
> {
  /** Whether the file is one of an item that the viewer may see now. */
  readonly seesFile: (viewer: Viewer, uri: string) => Promise<boolean>;
  /**
   * Whether the viewer may see now all that these ids name: items, their files, chapters and pictures, and
   * entities with theirs. An id that names nothing may be seen.
   */
  readonly seesNamed: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
}

/** Creates it from the access filter. */
export function createItemVisibility({
  database,
  access,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<
    Access,
    'scopeOf' | 'seesAll' | 'showsHidden' | 'visibilityIn' | 'visibilityOf'
  >;
}): ItemVisibility {
  const { seesAll, showsHidden, visibilityIn, visibilityOf } = access;

  async function seesItemsNamed(viewer: Viewer, ids: readonly string[]): Promise<boolean> {
    if (seesAll(viewer)) return true;
    const owners = await readItemsOfParts(database.read, ids);
    const visibility = await visibilityOf(viewer, [...ids, ...owners]);
    return [...visibility.values()].every(Boolean);
  }

  /** Also who sees every item may not see hidden entities. */
  async function seesEntitiesNamed(viewer: Viewer, ids: readonly string[]): Promise<boolean> {
    const scope = await access.scopeOf(viewer);
    if (seesAll(viewer) && scope.findsHidden) return true;
    const named = await readEntitiesNamed(database.read, ids);
    if (named.length === 0) return true;
    return (await readEntitiesById(database.read, named, scope, 'found')).length === named.length;
  }

  return {
    seesAll,
    showsHidden,
    visibilityIn,
    visibilityOf,
    seesNamed: async (viewer, ids) =>
      (await seesItemsNamed(viewer, ids)) && seesEntitiesNamed(viewer, ids),
    seesFile: async (viewer, uri) => {
      const scope = await access.scopeOf(viewer);
      const numbers = scope.libraries.map(({ no }) => no);
      const items = await database
        .read('files')
        .join('items', 'items.no', 'files.item_no')
        .whereIn('files.library_no', numbers)
        .where('files.uri', uri)
        .select<RatedRow[]>('items.library_no', 'items.certification');
      return items.some((item) => libraryShowing(scope, item) !== undefined);
    },
  };
}
