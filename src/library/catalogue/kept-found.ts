/**
 * What searches found lately. A client that types a word asks at each letter, or goes back to what
 * was asked before, and finds mostly the same: this is read once, and given again to a viewer who
 * may see exactly the same, as long as nothing was written that it could be made of.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../kernel/index.ts';
import type { Scope } from './access/index.ts';
import type { Entity } from './entity.ts';
import type { Item } from './item.ts';
import type { WantedIds } from './read-ahead.ts';
import { ignoredByItems } from './cache-dependencies.ts';

/** What is behind ids, as far as it is there and may be seen. In no order. */
export interface Things {
  readonly items: readonly Item[];
  readonly entities: readonly Entity[];
}

/** Things as they were read, and about how many bytes of memory they take in all. */
export interface ReadThings extends Things {
  readonly bytes: number;
}

/** For whom things are read: two of whom all of this is the same are shown the same. */
interface Reader {
  readonly scope: Scope;
  readonly profileId: string;
}

/** Gives what it has, and has the rest read. */
export interface KeptFound {
  readonly complete: (
    reader: Reader,
    ids: WantedIds,
    read: (missing: WantedIds) => Promise<ReadThings>,
  ) => Promise<Things>;
}

/** Creates it with nothing in it. It keeps about `maxBytes` at the most; 8 MiB when absent. */
export function createKeptFound(parts: {
  readonly database: Pick<Database, 'writes'>;
  readonly maxBytes?: number;
}): KeptFound {
  const { database, maxBytes = 8 * 1024 ** 2 } = parts;
  const readerNumber = createNumbers();
  const items = createShelf<Item>(maxBytes / 2);
  const entities = createShelf<Entity>(maxBytes / 2);

  return {
    complete: async (reader, ids, read) => {
      const moment = {
        writes: database.writes(ignoredByItems),
        reader: readerNumber(wordsOf(reader)),
      };
      const known = {
        items: items.find(ids.items, moment),
        entities: entities.find(ids.entities, moment),
      };
      const missing = { items: known.items.missing, entities: known.entities.missing };
      const count = missing.items.length + missing.entities.length;
      if (count === 0) return { items: known.items.found, entities: known.entities.found };
      const { bytes, ...rest } = await read(missing);
      items.keep(missing.items, rest.items, moment, bytes / count);
      entities.keep(missing.entities, rest.entities, moment, bytes / count);
      return {
        items: [...known.items.found, ...rest.items],
        entities: [...known.entities.found, ...rest.entities],
      };
    },
  };
}

/**
 * All that a reading is made of beside the database: what the scope says, and not who has it, since
 * a scope may be a moment older than the last write.
 */
function wordsOf({ scope, profileId }: Reader): string {
  const libraries = scope.libraries.map(({ no, id, name, certifications }) => {
    return [no, id, name, certifications && [...certifications]];
  });
  return JSON.stringify([
    profileId,
    scope.showsHidden,
    scope.showsPaths,
    scope.findsHidden,
    libraries,
  ]);
}

/** A number for each text, which may be long; a text that was forgotten gets another one. */
function createNumbers(): (text: string) => number {
  const numbers = new LRUCache<string, number>({ max: mostReaders });
  let last = 0;
  return (text) => {
    const number = numbers.get(text) ?? (last += 1);
    numbers.set(text, number);
    return number;
  };
}

const mostReaders = 100;

/** When something was read, and for whom. */
interface Moment {
  /** The last write that counted when the reading began. */
  readonly writes: number;
  readonly reader: number;
}

interface Kept<Thing> {
  readonly writes: number;
  /** `null` = there is no such thing, or it may not be seen. */
  readonly thing: Thing | null;
}

/** Things of one kind. */
function createShelf<Thing extends { readonly id: string }>(maxBytes: number) {
  const kept = new LRUCache<string, Kept<Thing>>({ max: mostThings, maxSize: maxBytes });
  const keyOf = (id: string, { reader }: Moment): string => `${reader} ${id}`;

  function find(ids: readonly string[], moment: Moment) {
    const found: Thing[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const known = kept.get(keyOf(id, moment));
      if (known?.writes !== moment.writes) missing.push(id);
      else if (known.thing !== null) found.push(known.thing);
    }
    return { found, missing };
  }

  /** `bytes` of each. */
  function keep(
    ids: readonly string[],
    things: readonly Thing[],
    moment: Moment,
    bytes: number,
  ): void {
    const byId = new Map(things.map((thing) => [thing.id, thing]));
    for (const id of ids) {
      const thing = byId.get(id) ?? null;
      kept.set(keyOf(id, moment), { writes: moment.writes, thing }, { size: Math.ceil(bytes) + 1 });
    }
  }

  return { find, keep };
}

const mostThings = 2000;
