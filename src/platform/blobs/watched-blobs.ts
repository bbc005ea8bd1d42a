import { BlobStoreFailed, type BlobStore } from './blob-store.ts';

/** A store that says how it fails. */
export interface WatchedBlobs {
  readonly store: BlobStore;
  /** Asks it, and gives how it fails; `null` = it answers, and takes what is written. */
  readonly look: () => Promise<BlobStoreFailed | null>;
}

/** What is written to find out whether a store takes something. */
const probeKey = 'probe/write';

/** A store that reads and takes nothing, such as a full one, fails until it takes something. */
export function watchedBlobs(store: BlobStore): WatchedBlobs {
  const failures: { read: BlobStoreFailed | null; write: BlobStoreFailed | null } = {
    read: null,
    write: null,
  };

  async function told<T>(kind: 'read' | 'write', work: Promise<T>): Promise<T> {
    try {
      const value = await work;
      failures[kind] = null;
      return value;
    } catch (error) {
      if (error instanceof BlobStoreFailed) failures[kind] = error;
      throw error;
    }
  }

  const watched: BlobStore = {
    has: (key) => told('read', store.has(key)),
    read: (key, range) => told('read', store.read(key, range)),
    write: (key, bytes) => told('write', store.write(key, bytes)),
    size: (key) => told('read', store.size(key)),
    remove: (key) => told('read', store.remove(key)),
    list: store.list,
  };
  return {
    store: watched,
    look: async () => {
      // A folder that is away has nothing, which is an answer: only what it takes says that it is there.
      await watched.write(probeKey, Buffer.from('Vitrine')).catch(() => undefined);
      // A read that failed counts until one succeeds, and perhaps nobody reads.
      if (failures.read !== null) await watched.has(probeKey).catch(() => undefined);
      return failures.write ?? failures.read;
    },
  };
}
