import type { Database } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { libraryShowing, type Access, type RatedRow } from './access/index.ts';

/** What a person may see, for whoever holds a plugin to it that works for them. */
export interface ItemSight extends Pick<
  Access,
  'seesAll' | 'showsHidden' | 'sightInto' | 'sightOfItems'
> {
  /** Whether the file is one of an item that the viewer may see now. */
  readonly seesFile: (viewer: Viewer, uri: string) => Promise<boolean>;
}

/** Creates it over the one access filter. */
export function createItemSight({
  database,
  access,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<
    Access,
    'scopeOf' | 'seesAll' | 'showsHidden' | 'sightInto' | 'sightOfItems'
  >;
}): ItemSight {
  const { seesAll, showsHidden, sightInto, sightOfItems } = access;
  return {
    seesAll,
    showsHidden,
    sightInto,
    sightOfItems,
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
