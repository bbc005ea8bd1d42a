import type { Database } from '../../../../kernel/store/index.ts';
import type { KnownLibraries, KnownLibrary } from '../access/index.ts';
import { readItemLocations } from '../tables/item-location-store.ts';
import {
  readEntitiesNamed,
  readItemsOfParts,
  readLibrariesOfEntities,
} from '../entities/named-store.ts';

/** Where an item is: its library, and the URIs of all its files. */
export interface ItemLocation {
  readonly libraryId: string;
  readonly uris: readonly string[];
}

/** Locations of items and libraries, for checking what a plugin was granted. */
export interface ItemLocations {
  /** All libraries, hidden ones too, from memory. */
  readonly libraries: () => readonly Pick<KnownLibrary, 'id' | 'name' | 'roots'>[];
  /** Also true of a removed hidden library, since events about its removal follow the same rule. */
  readonly isHidden: (libraryId: string) => boolean;
  /** By id; deleted items are missing. */
  readonly ofItems: (itemIds: readonly string[]) => Promise<ReadonlyMap<string, ItemLocation>>;
  /** What these ids name; one that names nothing adds nothing. */
  readonly named: (ids: readonly string[]) => Promise<NamedPlaces>;
}

/** Where what some ids name is. */
export interface NamedPlaces {
  /** The items, also those of which a file, a chapter or a picture is named. */
  readonly items: readonly ItemLocation[];
  /** Of each entity, named itself or by a picture, the libraries in which it has an item. */
  readonly entities: readonly (readonly string[])[];
}

export function createItemLocations(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly known: Pick<KnownLibraries, 'all' | 'isHidden'>;
}): ItemLocations {
  const db = parts.database.read;

  async function ofItems(itemIds: readonly string[]): Promise<ReadonlyMap<string, ItemLocation>> {
    const rows = await readItemLocations(db, [...new Set(itemIds)]);
    const places = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, found]) => {
      const [first] = found;
      if (first === undefined) return [];
      const uris = found.flatMap(({ uri }) => (uri === null ? [] : [uri]));
      return [[id, { libraryId: first.library_id, uris }] as const];
    });
    return new Map(places);
  }

  async function named(given: readonly string[]): Promise<NamedPlaces> {
    const ids = [...new Set(given)];
    const owners = await readItemsOfParts(db, ids);
    const entities = await readEntitiesNamed(db, ids);
    const links = Map.groupBy(await readLibrariesOfEntities(db, entities), ({ id }) => id);
    return {
      items: [...(await ofItems([...ids, ...owners])).values()],
      entities: entities.map((id) => links.get(id)?.map((link) => link.library_id) ?? []),
    };
  }

  return { libraries: parts.known.all, isHidden: parts.known.isHidden, ofItems, named };
}
