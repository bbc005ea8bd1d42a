import { LRUCache } from 'lru-cache';

/** A cache of the local paths that filesystem plugins gave for files. */
export type LocalPaths = ReturnType<typeof createLocalPaths>;

type Paths = ReadonlyMap<string, string | null>;

/** Asks the plugin where files are. Answers are in the order of the URIs. */
export type AskMany = (uris: readonly string[]) => Promise<readonly (string | null)[]>;

const maxKept = 2000;
const keptMs = 30_000;

/** Creates the cache. Without it, each read of a range would first ask the plugin for the path. */
export function createLocalPaths() {
  const kept = new LRUCache<string, { readonly path: string | null }>({
    max: maxKept,
    ttl: keptMs,
  });

  /** Requests under way, so that concurrent callers share one. */
  const asked = new Map<string, Promise<Paths>>();

  /** The paths of many files; `ask` gets only the URIs that are not cached. */
  async function findMany(uris: readonly string[], ask: AskMany): Promise<Paths> {
    const found = new Map<string, string | null>();
    const unknown: string[] = [];
    const waiting: string[] = [];
    for (const uri of new Set(uris)) {
      const known = kept.get(uri);
      if (known) found.set(uri, known.path);
      else if (asked.has(uri)) waiting.push(uri);
      else unknown.push(uri);
    }
    const answers = Map.groupBy(waiting, (uri) => asked.get(uri));
    if (unknown.length > 0) answers.set(begin(unknown, ask), unknown);
    for (const [answer, some] of answers) {
      const paths = await answer;
      for (const uri of some) found.set(uri, paths?.get(uri) ?? null);
    }
    return found;
  }

  function begin(uris: readonly string[], ask: AskMany): Promise<Paths> {
    const answer = ask(uris).then(
      (paths): Paths => new Map(uris.map((uri, index) => [uri, paths[index] ?? null])),
    );
    const end = (paths?: Paths): void => {
      for (const uri of uris) {
        // After `forget` a later request owns this URI; this answer must not be cached.
        if (asked.get(uri) !== answer) continue;
        asked.delete(uri);
        if (paths) kept.set(uri, { path: paths.get(uri) ?? null });
      }
    };
    for (const uri of uris) asked.set(uri, answer);
    answer.then(end, () => end());
    return answer;
  }

  return {
    /** The path, or `null` when the file is on no disk of this machine. */
    async find(uri: string, ask: () => Promise<string | null>): Promise<string | null> {
      const found = await findMany([uri], async () => [await ask()]);
      return found.get(uri) ?? null;
    },
    findMany,
    forget: (uri: string): void => {
      kept.delete(uri);
      asked.delete(uri);
    },
  };
}
