import { LRUCache } from 'lru-cache';

/** Where files are on this machine, as their plugins said not long ago. */
export interface LocalPaths {
  /** The path, or `null` when the file is on no disk of this machine. */
  readonly find: (uri: string, ask: () => Promise<string | null>) => Promise<string | null>;
  readonly forget: (uri: string) => void;
}

const maxKept = 2000;
const keptMs = 30_000;

/** Creates the memory. It saves the question before each range that is read of a file. */
export function createLocalPaths(): LocalPaths {
  const kept = new LRUCache<string, { readonly path: string | null }>({
    max: maxKept,
    ttl: keptMs,
  });
  return {
    async find(uri, ask) {
      const known = kept.get(uri);
      if (known) return known.path;
      const path = await ask();
      kept.set(uri, { path });
      return path;
    },
    forget: (uri) => void kept.delete(uri),
  };
}
