import type { Database } from '../../kernel/index.ts';
import type { KnownLibraries, KnownLibrary } from './access/index.ts';
import { readItemPlaces } from './item-place-store.ts';

/** Where an item is: its library, and the URIs of all its files. */
export interface ItemPlace {
  readonly libraryId: string;
  readonly uris: readonly string[];
}

/** What is where, for whoever keeps plugins to what they were granted. */
export interface Places {
  /** Every library, hidden ones too, without asking the database. */
  readonly libraries: () => readonly Pick<KnownLibrary, 'id' | 'name' | 'roots'>[];
  /** Also of a library that was removed: what is told of its end is for those who saw it. */
  readonly isHidden: (libraryId: string) => boolean;
  /** By id; one that is no more is missing. */
  readonly ofItems: (itemIds: readonly string[]) => Promise<ReadonlyMap<string, ItemPlace>>;
}

/** Creates it over the database. */
export function createPlaces(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly known: Pick<KnownLibraries, 'all' | 'isHidden'>;
}): Places {
  return {
    libraries: parts.known.all,
    isHidden: parts.known.isHidden,
    ofItems: async (itemIds) => {
      const rows = await readItemPlaces(parts.database.read, [...new Set(itemIds)]);
      const places = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, found]) => {
        const [first] = found;
        if (first === undefined) return [];
        const uris = found.flatMap(({ uri }) => (uri === null ? [] : [uri]));
        return [[id, { libraryId: first.library_id, uris }] as const];
      });
      return new Map(places);
    },
  };
}
