/** A fake library, which backs `host.library` and `host.fs` of a plugin under test. */
import type {
  ItemHookInput,
  LibraryChange,
  LibraryInfo,
  ScannedFile,
} from '../../../../plugin-api/index.ts';
import {
  bundleOf,
  encodePath,
  extensionOf,
  fakeId,
  indexedItem,
  isAuxiliary,
  usualFile,
  type FakeFile,
  type FakeItem,
  type NewFakeFile,
  type NewFakeItem,
} from './fake-item.ts';
import { madeItems, type FakeLibraryPlan } from './made-items.ts';

export type { FakeFile, FakeItem, NewFakeFile, NewFakeItem } from './fake-item.ts';
export type { FakeLibraryPlan } from './made-items.ts';

/**
 * Libraries of films, a series, an album, books and photos, with items, entities, files and their
 * bytes. The same plan gives the same library, ids included. Changes made here are in the feed of
 * `host.library.changes`; the test sends the events itself.
 */
export interface FakeLibrary {
  readonly libraries: () => readonly LibraryInfo[];
  /** In the order in which they were added. */
  readonly items: () => readonly FakeItem[];
  /** Throws when there is no such item. */
  readonly item: (itemId: string) => FakeItem;
  /** Of all libraries, ascending by address. */
  readonly files: () => readonly FakeFile[];
  readonly add: (item: NewFakeItem) => FakeItem;
  /** Other metadata, key by key, or another title. */
  readonly update: (
    itemId: string,
    changes: Partial<Pick<FakeItem, 'title' | 'metadata'>>,
  ) => FakeItem;
  readonly remove: (itemId: string) => void;
  /** The input of the item hooks. */
  readonly hookInput: (itemId: string) => ItemHookInput;
  /** The changes after a position in the feed, oldest first. */
  readonly changesAfter: (seq: number) => readonly LibraryChange[];
  /** A scan found a file that is not there yet, or found it changed. */
  readonly scanned: (library: LibraryInfo, file: ScannedFile) => void;
  /** Removes a file, and the item with its last file. */
  readonly forget: (uri: string) => void;
}

/** Files of a plan change at this moment, whenever it is read. */
const madeAt = Date.UTC(2026, 0, 1);
const usualSize = 1_000_000;
const titles: Readonly<Record<string, string>> = {
  movies: 'Films',
  tv: 'Series',
  music: 'Music',
  audiobooks: 'Audiobooks',
  books: 'Books',
  photos: 'Photos',
};

/** Makes the library of a plan. */
export function createFakeLibrary(plan: FakeLibraryPlan = {}): FakeLibrary {
  const libraries = new Map<string, LibraryInfo>();
  const items = new Map<string, FakeItem>();
  const entityIds = new Map<string, string>();
  const changes = new Map<string, LibraryChange>();
  let made = 0;
  let seq = 0;

  function libraryOf(type: string): LibraryInfo {
    const known = libraries.get(type);
    if (known) return known;
    const name = titles[type] ?? type;
    const library = {
      id: fakeId(1, libraries.size + 1),
      name,
      type,
      roots: [`file:///library/${encodePath(name)}`],
    };
    libraries.set(type, library);
    return library;
  }

  function entityId(type: string, name: string): string {
    const key = `${type}\n${name}`;
    const id = entityIds.get(key) ?? fakeId(3, entityIds.size + 1);
    entityIds.set(key, id);
    return id;
  }

  function keep(item: FakeItem): FakeItem {
    items.set(item.id, item);
    changes.delete(item.id);
    changes.set(item.id, { kind: 'present', item: indexedItem(item), seq: ++seq });
    return item;
  }

  function add(input: NewFakeItem): FakeItem {
    const { title, libraryType = 'movies', metadata = {}, entities = [] } = input;
    const library = libraryOf(libraryType);
    const files = (input.files ?? [usualFile(libraryType, title)]).map((file) =>
      fileOf(library, file),
    );
    return keep({
      id: fakeId(2, ++made),
      libraryId: library.id,
      scope: library.id,
      title,
      metadata,
      entities: entities.map((entity) => ({ id: entityId(entity.type, entity.name), ...entity })),
      files,
    });
  }

  function item(itemId: string): FakeItem {
    const found = items.get(itemId);
    if (found) return found;
    throw new RangeError(`The made library has no item ${itemId}; library.items() has them all.`);
  }

  function remove(itemId: string): void {
    item(itemId);
    items.delete(itemId);
    changes.delete(itemId);
    changes.set(itemId, { kind: 'removed', itemId, seq: ++seq });
  }

  const holderOf = (uri: string): FakeItem | undefined =>
    [...items.values()].find(({ files }) => files.some((file) => file.uri === uri));

  function scanned(library: LibraryInfo, { uri, size, modifiedAt, type = 'media' }: ScannedFile) {
    const file: FakeFile = { uri, size, modifiedAt, type };
    const holder = holderOf(uri);
    if (holder) {
      const files = holder.files.map((one) => (one.uri === uri ? { ...one, ...file } : one));
      keep({ ...holder, files });
    } else if (type === 'media') {
      const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
      const title = name.replace(/\.[^.]+$/, '');
      keep({ ...add({ title, libraryType: library.type }), files: [file] });
    }
  }

  function forget(uri: string): void {
    const holder = holderOf(uri);
    if (!holder) return;
    const files = holder.files.filter((file) => file.uri !== uri);
    if (files.some(({ type }) => type === 'media')) keep({ ...holder, files });
    else remove(holder.id);
  }

  for (const one of madeItems(plan)) add(one);
  return {
    libraries: () => [...libraries.values()],
    items: () => [...items.values()],
    item,
    files: () =>
      [...items.values()]
        .flatMap(({ files }) => files)
        .sort((one, other) => (one.uri < other.uri ? -1 : 1)),
    add,
    update: (itemId, { title, metadata }) => {
      const before = item(itemId);
      return keep({
        ...before,
        title: title ?? before.title,
        metadata: { ...before.metadata, ...metadata },
      });
    },
    remove,
    hookInput: (itemId) => ({ itemId, bundle: bundleOf(item(itemId)) }),
    changesAfter: (after) => [...changes.values()].filter((change) => change.seq > after),
    scanned,
    forget,
  };
}

function fileOf(library: LibraryInfo, { path, size, content }: NewFakeFile): FakeFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    uri: `${library.roots[0] ?? ''}/${encodePath(path)}`,
    size: bytes?.length ?? size ?? usualSize,
    modifiedAt: madeAt,
    type: isAuxiliary(library.type, extensionOf(path)) ? 'auxiliary' : 'media',
    ...(bytes && { content: bytes }),
  };
}
