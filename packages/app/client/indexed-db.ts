import { IdentityError } from './identity-error.ts';

/**
 * The part of IndexedDB that is used here, because the types of browsers are not always available.
 */
export interface IdbFactory {
  readonly open: (name: string, version: number) => IdbOpening;
}
interface IdbRequest<Result> {
  readonly result: Result;
  readonly error: unknown;
  readonly addEventListener: (type: string, listener: () => void) => void;
}
type IdbOpening = IdbRequest<IdbDatabase>;
interface IdbDatabase {
  readonly createObjectStore: (name: string) => unknown;
  readonly transaction: (store: string, mode: 'readonly' | 'readwrite') => IdbTransaction;
}
interface IdbTransaction {
  readonly error: unknown;
  readonly objectStore: (name: string) => IdbObjectStore;
  readonly addEventListener: (type: string, listener: () => void) => void;
}
interface IdbObjectStore {
  readonly get: (key: string) => IdbRequest<unknown>;
  readonly put: (value: unknown, key: string) => IdbRequest<unknown>;
  readonly delete: (key: string) => IdbRequest<unknown>;
}

/** One table of values by name. */
export interface IdbTable {
  /** `undefined` when there is none. */
  readonly get: (key: string) => Promise<unknown>;
  readonly put: (key: string, value: unknown) => Promise<void>;
  /** Returns the existing value, or stores this one; atomic, also between two tabs. */
  readonly getOrPut: (key: string, value: unknown) => Promise<unknown>;
  readonly remove: (key: string) => Promise<void>;
}

const table = 'kept';

/** Opens a database with one table, at its first use. */
export function createIdbTable(factory: IdbFactory, name: string): IdbTable {
  let opened: Promise<IdbDatabase> | null = null;

  function database(): Promise<IdbDatabase> {
    opened ??= new Promise<IdbDatabase>((resolve, reject) => {
      const opening = factory.open(name, 1);
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(table));
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(failure(opening.error)));
      opening.addEventListener('blocked', () => reject(failure(opening.error)));
    }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  /** Resolves when the transaction is committed. */
  async function within<Result>(
    mode: 'readonly' | 'readwrite',
    work: (store: IdbObjectStore, give: (result: Result) => void) => void,
  ): Promise<Result | undefined> {
    const transaction = (await database()).transaction(table, mode);
    return new Promise((resolve, reject) => {
      let given: Result | undefined;
      transaction.addEventListener('complete', () => resolve(given));
      transaction.addEventListener('abort', () => reject(failure(transaction.error)));
      transaction.addEventListener('error', () => reject(failure(transaction.error)));
      work(transaction.objectStore(table), (result) => {
        given = result;
      });
    });
  }

  return {
    get: (key) =>
      within('readonly', (store, give) => {
        const request = store.get(key);
        request.addEventListener('success', () => give(request.result));
      }),
    put: async (key, value) => {
      await within('readwrite', (store) => void store.put(value, key));
    },
    getOrPut: (key, value) =>
      within('readwrite', (store, give) => {
        const request = store.get(key);
        request.addEventListener('success', () => {
          give(request.result ?? value);
          if (request.result === undefined) store.put(value, key);
        });
      }),
    remove: async (key) => {
      await within('readwrite', (store) => void store.delete(key));
    },
  };
}

const failure = (cause: unknown): IdentityError =>
  new IdentityError('store_failed', { cause, detail: 'IndexedDB failed.' });
