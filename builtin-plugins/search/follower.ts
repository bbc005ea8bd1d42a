/**
 * Keeps the index equal to the library. Events say only that something changed; what changed comes
 * from `host.library.changes`, from the place where the last pull ended. That place is stored after
 * the documents are, so a crash in between repeats some work and loses nothing.
 *
 * One pull runs at a time; who asks meanwhile marks it dirty and leaves. Guest code runs only while a
 * call is in flight: a pull whose call was ended stands still for ever, so it is given up when it has
 * not moved for a while, and the next one goes on from the stored place.
 */
import type { Host, IndexedItem, LibraryChange, TextDocument } from '../../plugin-api/index.ts';
import { documentsVersion, entityDocuments, itemDocument } from './documents.ts';

/** Brings the index up to date. */
export interface Follower {
  /**
   * Pulls until there is no more, or `budgetMs` are over. Gives how many items it brought in, 0 when
   * another pull is under way.
   */
  readonly follow: (host: Host, budgetMs: number) => Promise<number>;
  /** Whether everything that happened before `timeMs` is in the index already. */
  readonly covers: (timeMs: number) => boolean;
  /** Empties the index; the next pull starts from nothing. */
  readonly reset: (host: Host) => Promise<void>;
}

/** What `host.kv` holds. `removed` counts removals since the index was built. */
interface Place {
  readonly version: number;
  readonly seq: number;
  readonly removed: number;
}

const placeKey = 'place';
const pageSize = 500;
const mostDocuments = 500;
/** A pull that has not moved for so long is dead. */
const stalledAfterMs = 10_000;
/** Entities leave no trace when their last item goes; after so many removals the index is rebuilt. */
const mostRemovals = 20_000;
const mostKnownEntities = 50_000;

/** Builds a follower over a clock in milliseconds. */
export function createFollower(clock: () => number = Date.now): Follower {
  const knownEntities = new Set<string>();
  let pull: { movedAt: number } | undefined;
  let isDirty = false;
  let isChecked = false;
  let coveredMs = -Infinity;

  const start = { version: documentsVersion, seq: 0, removed: 0 };

  const clear = async (host: Host): Promise<Place> => {
    knownEntities.clear();
    await host.textIndex.clear({});
    await host.kv.set({ key: placeKey, value: start });
    return start;
  };

  /** The stored place; the index starts anew when it is missing, or was made in another way. */
  const readPlace = async (host: Host): Promise<Place> => {
    const place = parsePlace(await host.kv.get({ key: placeKey }));
    if (place === undefined || place.version !== documentsVersion) return clear(host);
    if (place.removed > mostRemovals) return clear(host);
    if (isChecked) return place;
    const { documents } = await host.textIndex.size({});
    isChecked = true;
    return documents === 0 && place.seq > 0 ? clear(host) : place;
  };

  const bringIn = async (host: Host, changes: readonly LibraryChange[]): Promise<number> => {
    const items: IndexedItem[] = [];
    const removed: string[] = [];
    for (const change of changes) {
      if (change.kind === 'present') items.push(change.item);
      else removed.push(change.itemId);
    }
    const entities = newEntities(items);
    const documents = [...items.map(itemDocument), ...entities.values()];
    for (let from = 0; from < documents.length; from += mostDocuments) {
      await host.textIndex.put({ documents: documents.slice(from, from + mostDocuments) });
    }
    if (knownEntities.size > mostKnownEntities) knownEntities.clear();
    for (const print of entities.keys()) knownEntities.add(print);
    if (removed.length > 0) await host.textIndex.remove({ ids: removed });
    return removed.length;
  };

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
        const removed = await bringIn(host, page.changes);
        place = { ...place, seq: page.seq, removed: place.removed + removed };
        await host.kv.set({ key: placeKey, value: place });
        count += page.changes.length;
      }
      if (pull !== own) return count;
      own.movedAt = clock();
      if (page.done) coveredMs = askedAt;
      if (own.movedAt >= end || (page.done && !isDirty)) return count;
    }
  };

  return {
    covers: (timeMs) => timeMs < coveredMs,
    follow: async (host, budgetMs) => {
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
    reset: async (host) => {
      pull = undefined;
      await clear(host);
    },
  };

  /** The documents of entities that this isolate has not written yet, by what tells them apart. */
  function newEntities(items: readonly IndexedItem[]): ReadonlyMap<string, TextDocument> {
    const documents = new Map<string, TextDocument>();
    for (const document of items.flatMap(entityDocuments)) {
      const print = `${document.id} ${document.title} ${document.body}`;
      if (!knownEntities.has(print)) documents.set(print, document);
    }
    return documents;
  }
}

function parsePlace(value: unknown): Place | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, seq, removed } = value as Readonly<Record<string, unknown>>;
  if (typeof version !== 'number' || typeof seq !== 'number') return undefined;
  return { version, seq, removed: typeof removed === 'number' ? removed : 0 };
}
