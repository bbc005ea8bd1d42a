/**
 * The database of the device. Each part of a file is a record; it and the count of the parts are written
 * at once, so a count never says more than there is. All of it is removed at once, too.
 */
import { withPart, type Kept, type KeptPlace, type Untold } from './kept.ts';
import type { Resources } from '../core/api.ts';

/** Who may see what is kept while the server does not answer. */
export interface Opened {
  readonly userId: string;
  readonly profileId: string;
  readonly viewer: Omit<Resources['Viewer'], 'csrfToken'>;
  readonly profile: Resources['Profile'];
  readonly preferences: Resources['Preferences'];
}

export interface PartStore {
  /** Stores the next part of a file; `undefined` = the item is no longer wanted, and nothing is stored. */
  readonly savePart: (key: string, fileId: string, part: Blob) => Promise<Kept | undefined>;
}

const stores = ['kept', 'parts', 'untold', 'opened'] as const;
type Store = (typeof stores)[number];

/** What the tables hold. Only this file writes them. */
interface Records {
  readonly kept: Kept;
  readonly parts: Blob;
  readonly untold: Untold;
  readonly opened: Opened;
}

const result = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database failed.'));
  });

const get = async <Name extends Store>(
  store: (name: Store) => IDBObjectStore,
  name: Name,
  key: string,
): Promise<Records[Name] | undefined> =>
  (await result<unknown>(store(name).get(key))) as Records[Name] | undefined;

const getAll = async <Name extends Store>(
  store: (name: Store) => IDBObjectStore,
  name: Name,
  range?: IDBKeyRange,
): Promise<readonly Records[Name][]> =>
  (await result<unknown[]>(store(name).getAll(range))) as readonly Records[Name][];

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('downloads', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('kept', { keyPath: 'key' });
    request.result.createObjectStore('parts');
    request.result.createObjectStore('untold', { keyPath: 'key' });
    request.result.createObjectStore('opened');
  };
  return result(request).then((database) => {
    // The browser closes it where a person clears its data.
    database.onclose = () => (opening = undefined);
    database.onversionchange = () => {
      database.close();
      opening = undefined;
    };
    return database;
  });
}

async function within<Value>(
  names: readonly Store[],
  mode: IDBTransactionMode,
  work: (store: (name: Store) => IDBObjectStore) => Promise<Value>,
): Promise<Value> {
  opening ??= open();
  const database = await opening.catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  const transaction = database.transaction(names, mode, { durability: 'strict' });
  const isDone = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('It was given up.'));
  });
  const worked = work((name) => transaction.objectStore(name)).catch((error: unknown) => {
    if (transaction.error === null) transaction.abort();
    throw error;
  });
  const [value] = await Promise.all([worked, isDone]);
  return value;
}

const partsOf = (key: string, fileId?: string): IDBKeyRange =>
  IDBKeyRange.bound(
    [key, ...(fileId === undefined ? [] : [fileId])],
    [key, ...(fileId === undefined ? [] : [fileId]), []],
  );

export const readOpened = (): Promise<Opened | undefined> =>
  within(['opened'], 'readonly', (store) => get(store, 'opened', 'now'));

/** Lets a profile see what it keeps; `null` locks all of it. */
export const writeOpened = (opened: Opened | null): Promise<void> =>
  within(['opened'], 'readwrite', async (store) => {
    if (opened === null) await result(store('opened').clear());
    else await result(store('opened').put(opened, 'now'));
  });

export const readKept = (key: string): Promise<Kept | undefined> =>
  within(['kept', 'untold'], 'readonly', async (store) => {
    const [kept, untold] = await Promise.all([get(store, 'kept', key), get(store, 'untold', key)]);
    return kept === undefined ? undefined : withUntold(kept, untold);
  });

/** All of all profiles, the oldest first. */
export const readAll = (): Promise<readonly Kept[]> =>
  within(['kept'], 'readonly', async (store) => {
    const all = await getAll(store, 'kept');
    return all.toSorted((one, other) => one.addedAt - other.addedAt);
  });

/** Adds items that are planned. What is here of them already stays. */
export const addPlanned = (planned: readonly Kept[]): Promise<void> =>
  within(['kept'], 'readwrite', async (store) => {
    for (const one of planned)
      if ((await get(store, 'kept', one.key)) === undefined) await result(store('kept').put(one));
  });

/** Replaces an item that is planned by what the server says of it; `false` = it is not planned any longer. */
export const replacePlanned = (found: Kept): Promise<boolean> =>
  within(['kept', 'parts'], 'readwrite', async (store) => {
    const planned = await get(store, 'kept', found.key);
    if (planned?.state !== 'planned') return false;
    await result(store('parts').delete(partsOf(found.key)));
    await result(store('kept').put({ ...found, addedAt: planned.addedAt }));
    return true;
  });

/** Adds an item, without any part. What was kept of it before is removed. */
export const addKept = (kept: Kept): Promise<void> =>
  within(['kept', 'parts'], 'readwrite', async (store) => {
    await result(store('parts').delete(partsOf(kept.key)));
    await result(store('kept').put(kept));
  });

/** Changes an item, if it is there. */
export const changeKept = (key: string, change: (kept: Kept) => Kept): Promise<Kept | undefined> =>
  within(['kept'], 'readwrite', async (store) => {
    const found = await get(store, 'kept', key);
    if (found === undefined) return undefined;
    const changed = change(found);
    await result(store('kept').put(changed));
    return changed;
  });

/** See {@link PartStore}. */
export const partStore: PartStore = {
  savePart: (key, fileId, part) =>
    within(['kept', 'parts'], 'readwrite', async (store) => {
      const found = await get(store, 'kept', key);
      const file = found?.files.find((one) => one.fileId === fileId);
      if (found?.state !== 'wanted' || file === undefined) return undefined;
      await result(store('parts').put(part, [key, fileId, file.parts]));
      const changed = withPart(found, fileId);
      await result(store('kept').put(changed));
      return changed;
    }),
};

/** The parts of a file, in their order. */
export const readParts = (key: string, fileId: string): Promise<readonly Blob[]> =>
  within(['parts'], 'readonly', (store) => getAll(store, 'parts', partsOf(key, fileId)));

/** Removes items with their parts. Positions that the server was not told stay. */
export const removeKept = (keys: readonly string[]): Promise<void> =>
  within(['kept', 'parts'], 'readwrite', async (store) => {
    for (const key of keys) {
      await result(store('parts').delete(partsOf(key)));
      await result(store('kept').delete(key));
    }
  });

/** Removes everything of everybody. */
export const removeEverything = (): Promise<void> =>
  within(stores, 'readwrite', async (store) => {
    for (const name of stores) await result(store(name).clear());
  });

export const readUntold = (): Promise<readonly Untold[]> =>
  within(['untold'], 'readonly', (store) => getAll(store, 'untold'));

/** The place in a position. */
const placeIn = ({ fileId, position, duration, at }: Untold): KeptPlace => ({
  fileId,
  position,
  at,
  ...(duration !== undefined && { duration }),
});

/** The item at its last place: a page that goes away may have written only what is untold. */
const withUntold = (kept: Kept, untold: Untold | undefined): Kept =>
  untold === undefined || untold.at <= (kept.place?.at ?? 0)
    ? kept
    : { ...kept, place: placeIn(untold) };

/**
 * Keeps how far an item was played or read, until the server is told. The position is written first, by itself,
 * and without a question before: a page that goes away gives up what waits for an answer.
 */
export async function writePlace(untold: Untold): Promise<void> {
  const written = within(['untold'], 'readwrite', async (store) => {
    const place = store('untold');
    const put = result(place.put(untold));
    place.transaction.commit();
    await put;
  });
  await Promise.all([written, changeKept(untold.key, (kept) => withUntold(kept, untold))]);
}

/** Forgets a position that the server was told, unless there is a newer one. */
export const forgetUntold = ({ key, at }: Untold): Promise<void> =>
  within(['untold'], 'readwrite', async (store) => {
    const found = await get(store, 'untold', key);
    if (found?.at === at) await result(store('untold').delete(key));
  });

/** Removes what other users kept. */
export const removeOthers = (userId: string): Promise<void> =>
  within(['kept', 'parts', 'untold'], 'readwrite', async (store) => {
    const all = await getAll(store, 'kept');
    for (const one of all) {
      if (one.userId === userId) continue;
      await result(store('parts').delete(partsOf(one.key)));
      await result(store('kept').delete(one.key));
    }
    const untold = await getAll(store, 'untold');
    for (const one of untold)
      if (one.userId !== userId) await result(store('untold').delete(one.key));
  });
