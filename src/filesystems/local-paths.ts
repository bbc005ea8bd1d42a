import { LRUCache } from 'lru-cache';

/** Where files are on this machine, as their plugins said not long ago. */
export interface LocalPaths {
  /** The path, or `null` when the file is on no disk of this machine. */
  readonly find: (uri: string, ask: () => Promise<string | null>) => Promise<string | null>;
  /** The paths of many files; `ask` hears of those alone that are not known. */
  readonly findMany: (
    uris: readonly string[],
    ask: AskMany,
  ) => Promise<ReadonlyMap<string, string | null>>;
  readonly forget: (uri: string) => void;
}

/** Asks where files are; answers in the order of the question. */
export type AskMany = (uris: readonly string[]) => Promise<readonly (string | null)[]>;

const maxKept = 2000;
const keptMs = 30_000;

/** Creates the memory. It saves the question before each range that is read of a file. */
export function createLocalPaths(): LocalPaths {
  const kept = new LRUCache<string, { readonly path: string | null }>({
    max: maxKept,
    ttl: keptMs,
  });

  async function findMany(uris: readonly string[], ask: AskMany) {
    const found = new Map<string, string | null>();
    const unknown: string[] = [];
    for (const uri of new Set(uris)) {
      const known = kept.get(uri);
      if (known) found.set(uri, known.path);
      else unknown.push(uri);
    }
    if (unknown.length === 0) return found;
    const paths = await ask(unknown);
    unknown.forEach((uri, index) => {
      const path = paths[index] ?? null;
      kept.set(uri, { path });
      found.set(uri, path);
    });
    return found;
  }

  return {
    async find(uri, ask) {
      const found = await findMany([uri], async () => [await ask()]);
      return found.get(uri) ?? null;
    },
    findMany,
    forget: (uri) => void kept.delete(uri),
  };
}
