/**
 * Keeps the index equal to the library. Events are only a signal; the changes come from
 * `host.library.changes`, from the place where the last pull ended. That place is stored after the
 * documents, so a crash in between repeats some work and loses nothing.
 * One pull runs at a time; a request meanwhile marks the index as dirty and returns. Guest code runs
 * only while a call is in flight: a pull whose call has ended never continues, so it is given up
 * when it has not moved for a while, and the next one continues from the stored place.
 */
import type { Host, LibraryChange, TextDocument } from '../../plugin-api/index.ts';
import { documentsVersion, entityDocumentId, entityDocuments, itemDocument } from './documents.ts';

/** Updates the index. */
export type Follower = ReturnType<typeof createFollower>;

/** What `host.kv` holds. */
interface Place {
  readonly version: number;
  readonly seq: number;
}

const placeKey = 'place';
const pageSize = 500;
const mostDocuments = 500;
/** A pull that has not moved for so long is given up. */
const stalledAfterMs = 10_000;
const mostKnownEntities = 50_000;

/** Builds a follower over a clock in milliseconds. */
export function createFollower(clock: () => number = Date.now) {
  /** Documents of entities that this isolate has written, by id. */
  const knownEntities = new Map<string, string>();
  let pull: { movedAt: number } | undefined;
  let isDirty = false;
  let isChecked = false;
  let coveredMs = -Infinity;

  const start = { version: documentsVersion, seq: 0 };

  const clear = async (host: Host): Promise<Place> => {
    knownEntities.clear();
    await host.textIndex.clear({});
    await host.kv.set({ key: placeKey, value: start });
    return start;
  };

  /** The stored place; a missing index, or one of another version, starts empty. */
  const readPlace = async (host: Host): Promise<Place> => {
    const place = parsePlace(await host.kv.get({ key: placeKey }));
    if (place === undefined || place.version !== documentsVersion) return clear(host);
    if (isChecked) return place;
    const { documents } = await host.textIndex.size({});
    isChecked = true;
    return documents === 0 && place.seq > 0 ? clear(host) : place;
  };

  const bringIn = async (host: Host, changes: readonly LibraryChange[]): Promise<void> => {
    const { documents, gone } = settle(changes);
    const fresh = documents.filter(isNews);
    for (let from = 0; from < fresh.length; from += mostDocuments) {
      await host.textIndex.put({ documents: fresh.slice(from, from + mostDocuments) });
    }
    if (knownEntities.size > mostKnownEntities) knownEntities.clear();
    for (const one of fresh) if (one.kind === 'entity') knownEntities.set(one.id, printOf(one));
    for (const id of gone) knownEntities.delete(id);
    if (gone.length > 0) await host.textIndex.remove({ ids: gone });
  };

  /** Items change one by one, and most of them name entities that are already written. */
  const isNews = (document: TextDocument): boolean =>
    document.kind !== 'entity' || knownEntities.get(document.id) !== printOf(document);

  const run = async (host: Host, budgetMs: number, own: { movedAt: number }): Promise<number> => {
    const end = clock() + budgetMs;
    let place = await readPlace(host);
    let count = 0;
    for (;;) {
      isDirty = false;
      const askedAt = clock();
      const page = await host.library.changes({ seq: place.seq, limit: pageSize });
      if (pull !== own) return count;
      if (page.changes.length > 0) {
        await bringIn(host, page.changes);
        place = { ...place, seq: page.seq };
        await host.kv.set({ key: placeKey, value: place });
        count += page.changes.length;
      }
      if (pull !== own) return count;
      own.movedAt = clock();
      if (page.done) coveredMs = askedAt;
      // To ask for what comes after a place tells the server that the index has all before it.
      if (page.done && page.changes.length > 0)
        await host.library.changes({ seq: place.seq, limit: 1 });
      if (own.movedAt >= end || (page.done && !isDirty)) return count;
    }
  };

  return {
    /** Whether everything that happened before `timeMs` is in the index already. */
    covers: (timeMs: number): boolean => timeMs < coveredMs,
    /**
     * Pulls until nothing is left, or until `budgetMs` are over. Returns the number of indexed
     * items, 0 when another pull is running.
     */
    follow: async (host: Host, budgetMs: number): Promise<number> => {
      if (pull !== undefined && clock() - pull.movedAt < stalledAfterMs) {
        isDirty = true;
        return 0;
      }
      const own = { movedAt: clock() };
      pull = own;
      try {
        return await run(host, budgetMs, own);
      } finally {
        if (pull === own) pull = undefined;
      }
    },
    /** Empties the index; the next pull indexes everything. */
    reset: async (host: Host): Promise<void> => {
      pull = undefined;
      await clear(host);
    },
  };
}

/** The net changes of a page: the last entry for each document counts. */
function settle(changes: readonly LibraryChange[]): {
  readonly documents: readonly TextDocument[];
  readonly gone: readonly string[];
} {
  const documents = new Map<string, TextDocument | null>();
  for (const change of changes) {
    if (change.kind === 'removed') documents.set(change.itemId, null);
    else if (change.kind === 'entity-left') documents.set(entityDocumentId(change), null);
    else if (change.kind === 'present') {
      for (const one of [itemDocument(change.item), ...entityDocuments(change.item)])
        documents.set(one.id, one);
    }
  }
  return {
    documents: [...documents.values()].filter((one) => one !== null),
    gone: [...documents].flatMap(([id, document]) => (document === null ? [id] : [])),
  };
}

const printOf = ({ scope, title, body }: TextDocument): string => `${scope} ${title} ${body}`;

function parsePlace(value: unknown): Place | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, seq } = value as Readonly<Record<string, unknown>>;
  if (typeof version !== 'number' || typeof seq !== 'number') return undefined;
  return { version, seq };
}
