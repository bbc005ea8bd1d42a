/** Whether something is within what a plugin was narrowed to. What cannot be told is not. */
import type { Narrowed } from '../../kernel/index.ts';
import { isBelow, isSpelled } from '../filesystems/index.ts';
import { toRootUri, type ItemLocation, type ItemLocations } from '../library/index.ts';
import { idsIn, mostIds } from './named-ids.ts';

/** A library, as far as it matters here. */
export type PlacedLibrary = ReturnType<ItemLocations['libraries']>[number];

/** The question, over the libraries that there are now: one that was removed is none. */
export interface Within {
  /** The library, or some folders of it. */
  readonly part: (libraryId: unknown) => boolean;
  /** All of the library. */
  readonly whole: (libraryId: unknown) => boolean;
  /** A file or a folder, with all that is below it. */
  readonly uri: (uri: unknown) => boolean;
  /** The item with every one of its files. */
  readonly item: (itemId: unknown) => Promise<boolean>;
  /** The same for many, in their order. */
  readonly items: (itemIds: readonly string[]) => Promise<readonly boolean[]>;
  /**
   * Whether none of these texts is the id of a library, an item, a part of one or an entity, or the URI or
   * path of a file, that is not within. A text that names nothing is; an entity is where an item of it is.
   */
  readonly texts: (texts: readonly string[]) => Promise<boolean>;
  /** Files of a library by their paths below one of its roots, whichever that is. */
  readonly paths: (libraryId: unknown, paths: readonly unknown[]) => boolean;
}

/** Creates it for one reach. */
export function createWithin(reach: Narrowed, places: ItemLocations): Within {
  const granted = (id: unknown) => reach.find((one) => one.id === id);
  const library = (id: unknown): PlacedLibrary | undefined =>
    places.libraries().find((one) => one.id === id);

  function part(id: unknown): boolean {
    return granted(id) !== undefined;
  }

  function whole(id: unknown): boolean {
    const one = granted(id);
    return one !== undefined && one.folders === undefined;
  }

  function uri(given: unknown): boolean {
    if (typeof given !== 'string' || !isSpelled(given)) return false;
    return places.libraries().some(({ id, roots }) => {
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

  async function items(ids: readonly string[]): Promise<readonly boolean[]> {
    const found = await places.ofItems(ids);
    return ids.map((id) => {
      const place = found.get(id);
      return place !== undefined && isPlaced(place);
    });
  }

  function isPlaceWithin(text: string): boolean {
    const named = spelled(text);
    const isOfLibrary = places
      .libraries()
      .some(({ roots }) => named !== null && roots.some((root) => isBelow(named, root)));
    return !isOfLibrary || uri(named);
  }

  async function texts(all: readonly string[]): Promise<boolean> {
    if (all.some((text) => library(text) && !part(text)) || !all.every(isPlaceWithin)) return false;
    const ids = idsIn(all);
    if (ids.length > mostIds) return false;
    const { items: found, entities } = await places.named(ids);
    return found.every(isPlaced) && entities.every((ids) => ids.some(part));
  }

  return {
    part,
    whole,
    uri,
    texts,
    items,
    item: async (id) => typeof id === 'string' && (await items([id])).every(Boolean),
    paths: (id, paths) => {
      if (whole(id)) return true;
      const roots = library(id)?.roots ?? [];
      if (!part(id) || roots.length === 0) return false;
      return paths.every((path) => roots.every((root) => uri(below(root, path))));
    },
  };
}

/** The one spelling of a URI or a path of this machine; `null` for a text that is neither. */
export function spelled(text: string): string | null {
  try {
    return toRootUri(text);
  } catch {
    return null;
  }
}

/** The URI of a path with `/` between its names; `null` for one that is none. */
function below(root: string, path: unknown): string | null {
  if (typeof path !== 'string' || !path.isWellFormed()) return null;
  return `${root}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
