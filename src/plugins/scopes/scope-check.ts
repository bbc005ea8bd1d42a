/** Whether something is within the scope of a plugin. In doubt the answer is no. */
import type { Narrowed } from '../../../kernel/index.ts';
import { isBelow, isSpelled } from '../../files/filesystems/index.ts';
import { toRootUri, type ItemLocation, type ItemLocations } from '../../library/catalogue/index.ts';
import { idsIn, mostIds } from './named-ids.ts';

/** A library with its roots. */
export type PlacedLibrary = ReturnType<ItemLocations['libraries']>[number];

/** The checks for one scope, over the current libraries. */
export type ScopeCheck = ReturnType<typeof createScopeCheck>;

export function createScopeCheck(reach: Narrowed, locations: ItemLocations) {
  const granted = (id: unknown) => reach.find((one) => one.id === id);
  const library = (id: unknown): PlacedLibrary | undefined =>
    locations.libraries().find((one) => one.id === id);

  /** Whether the library, or some folders of it, are granted. */
  function part(id: unknown): boolean {
    return granted(id) !== undefined;
  }

  /** Whether all of the library is granted. */
  function whole(id: unknown): boolean {
    const one = granted(id);
    return one !== undefined && one.folders === undefined;
  }

  /** A file, or a folder with all that is below it. */
  function uri(given: unknown): boolean {
    if (typeof given !== 'string' || !isSpelled(given)) return false;
    return locations.libraries().some(({ id, roots }) => {
      const one = granted(id);
      if (!one || !roots.some((root) => isBelow(given, root))) return false;
      return one.folders === undefined || one.folders.some((folder) => isBelow(given, folder));
    });
  }

  function isPlaced({ libraryId, uris }: ItemLocation): boolean {
    if (whole(libraryId)) return true;
    const folders = granted(libraryId)?.folders ?? [];
    const isIn = (one: string): boolean => folders.some((folder) => isBelow(one, folder));
    return uris.length > 0 && uris.every(isIn);
  }

  /** The same for many, in their order. */
  async function items(ids: readonly string[]): Promise<readonly boolean[]> {
    const found = await locations.ofItems(ids);
    return ids.map((id) => {
      const place = found.get(id);
      return place !== undefined && isPlaced(place);
    });
  }

  function isPlaceWithin(text: string): boolean {
    const named = spelled(text);
    const isOfLibrary = locations
      .libraries()
      .some(({ roots }) => named !== null && roots.some((root) => isBelow(named, root)));
    return !isOfLibrary || uri(named);
  }

  /**
   * Whether all that these texts name is within: by the id of a library, an item, a part of an
   * item or an entity, or by the URI or path of a file. A text that names nothing is within; an
   * entity is within where one of its items is in a granted library.
   */
  async function texts(all: readonly string[]): Promise<boolean> {
    if (all.some((text) => library(text) && !part(text)) || !all.every(isPlaceWithin)) return false;
    const ids = idsIn(all);
    if (ids.length > mostIds) return false;
    const { items: found, entities } = await locations.named(ids);
    return found.every(isPlaced) && entities.every((ids) => ids.some(part));
  }

  return {
    part,
    whole,
    uri,
    texts,
    items,
    /** An entity that has an item in a granted library. */
    entity: async (id: unknown): Promise<boolean> => {
      if (typeof id !== 'string') return false;
      const { entities } = await locations.named(idsIn([id]));
      return entities.some((ids) => ids.some(part));
    },
    /** The item with every one of its files. */
    item: async (id: unknown): Promise<boolean> =>
      typeof id === 'string' && (await items([id])).every(Boolean),
    /**
     * Files of a library by their paths below a root. Each path must be within below every root.
     */
    paths: (id: unknown, paths: readonly unknown[]): boolean => {
      if (whole(id)) return true;
      const roots = library(id)?.roots ?? [];
      if (!part(id) || roots.length === 0) return false;
      return paths.every((path) => roots.every((root) => uri(below(root, path))));
    },
  };
}

/** The canonical URI of a URI or a path of this machine; `null` for a text that is neither. */
export function spelled(text: string): string | null {
  try {
    return toRootUri(text);
  } catch {
    return null;
  }
}

/** The URI of a path with `/` between its names; `null` for an invalid path. */
function below(root: string, path: unknown): string | null {
  if (typeof path !== 'string' || !path.isWellFormed()) return null;
  return `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
