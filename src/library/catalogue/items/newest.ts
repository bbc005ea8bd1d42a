/** What is new in libraries: films one by one, and episodes, tracks and books by their show, album or series. */
import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { Access, Scope, ScopedLibrary } from '../access/index.ts';
import { readItemPage } from './item-list-store.ts';
import { readGroups, readNewestGroups, type GroupRow } from './newest-store.ts';

/** An item, or the entity of which it is a part. */
export interface NewEntry {
  readonly entityId: string | null;
  /** The newest item; null where only the entity is known. */
  readonly itemId: string | null;
}

/** What is new in one library, the newest first. */
export interface NewInLibrary {
  readonly library: { readonly id: string; readonly name: string; readonly type: string };
  readonly entries: readonly NewEntry[];
}

export interface Newest {
  /** Of each library that the viewer sees, by name; `limit` bounds the entries of each. */
  readonly newest: (viewer: Viewer, limit: number) => Promise<readonly NewInLibrary[]>;
  /** The shows, albums and series of these items, by their ids. */
  readonly groupsOf: (itemIds: readonly string[]) => Promise<readonly string[]>;
}

/** Types of entities whose items stand together, by type of library. */
const groupTypes: Readonly<Record<string, readonly string[]>> = {
  movies: [],
  photos: [],
  tv: ['show'],
  music: ['album'],
};
const anyGroup = ['show', 'album', 'series'];

/** So many newest items are read one by one; the groups of older ones come from their sums. */
const depth = 100;

export function createNewest({
  database,
  access,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'scopeOf'>;
}): Newest {
  const db = database.read;

  async function inLibrary(
    library: ScopedLibrary,
    scope: Scope,
    limit: number,
  ): Promise<NewInLibrary> {
    const { id, name, type } = library;
    const types = Object.hasOwn(groupTypes, type) ? (groupTypes[type] ?? anyGroup) : anyGroup;
    const isGrouped = types.length > 0;
    const selection = { libraries: [library], filters: [] };
    const page = { selection, order: { by: 'addedAt' }, sortOrder: 'desc' } as const;
    const [items, groups] = await Promise.all([
      readItemPage(db, { ...page, after: null, limit: isGrouped ? Math.max(depth, limit) : limit }),
      isGrouped ? readNewestGroups(db, { library, scope, types, limit }) : [],
    ]);
    const byItem = isGrouped
      ? await readGroups(
          db,
          items.map(({ no }) => no),
          { types, showsHidden: scope.showsHidden },
        )
      : [];
    const entries = merged(items, byItem, groups).slice(0, limit);
    return { library: { id, name, type }, entries };
  }

  return {
    newest: async (viewer, limit) => {
      const scope = await access.scopeOf(viewer);
      const libraries = scope.libraries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return Promise.all(libraries.map((library) => inLibrary(library, scope, limit)));
    },
    groupsOf: async (itemIds) => {
      if (itemIds.length === 0) return [];
      const rows = await db('items').whereIn('id', itemIds).pluck<number[]>('no');
      const groups = await readGroups(db, rows, { types: anyGroup, showsHidden: true });
      return [...new Set(groups.map(({ id }) => id))];
    },
  };
}

/** Items and groups by age, each group once. */
function merged(
  items: readonly { readonly no: number; readonly id: string; readonly value: string | number }[],
  byItem: readonly GroupRow[],
  groups: readonly { readonly id: string; readonly at: number | string }[],
): readonly NewEntry[] {
  const groupOf = new Map(byItem.map((row) => [row.item_no, row.id]));
  const entries = new Map<string, NewEntry & { readonly at: number }>();
  for (const { no, id, value } of items) {
    const entityId = groupOf.get(no) ?? null;
    const key = entityId ?? id;
    if (!entries.has(key)) entries.set(key, { entityId, itemId: id, at: Number(value) });
  }
  for (const { id, at } of groups)
    if (!entries.has(id)) entries.set(id, { entityId: id, itemId: null, at: Number(at) });
  return [...entries.values()]
    .toSorted((a, b) => b.at - a.at)
    .map(({ entityId, itemId }) => ({ entityId, itemId }));
}
