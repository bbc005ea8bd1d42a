import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { createEntityResolver, survivorOf, type EntityResolver } from './entity-resolver.ts';
import { renumberLinked } from '../tables/entity-link-store.ts';
import type { Mention } from './entity-mention.ts';
import { mergeEntityRows } from './entity-merge-store.ts';
import {
  insertEntityRows,
  insertTraces,
  readEntitiesByKey,
  readEntityNames,
  readEntityRows,
  readHoldersOf,
  readIdsOf,
  readPicturesOf,
  saveEntityRows,
} from '../tables/entity-store.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';

/** Numbers of entities by the keys of their mentions. */
export type EntityNumbers = ReadonlyMap<string, number>;

interface Making {
  readonly now: number;
  readonly nextNo: () => number;
}

/** How many numbers are cached: a scan mentions the same artists and series repeatedly. */
const capacity = 20_000;

export interface EntityRegistryParts {
  readonly database: Pick<Database, 'insertRows'>;
  readonly newId: NewId;
  /**
   * Changes whenever another server deleted or merged entities; absent when there is no other
   * server.
   */
  readonly entityGeneration?: (trx: Transaction) => Promise<number>;
}

/** Finds the number of every entity that is mentioned, and makes missing ones. */
export class EntityRegistry {
  readonly #parts: EntityRegistryParts;
  readonly #insertRows: EntityRegistryParts['database']['insertRows'];
  // With `max`, it would take the memory of all entries at once.
  readonly #known = new LRUCache<string, number>({ maxSize: capacity, sizeCalculation: () => 1 });
  /**
   * The generation in which numbers were resolved; numbers of an older generation are not learned.
   */
  readonly #foundIn = new WeakMap<EntityNumbers, number>();
  #generation = 0;
  #remoteGeneration = 0;

  constructor(parts: EntityRegistryParts) {
    this.#parts = parts;
    const { insertRows } = parts.database;
    this.#insertRows = insertRows;
  }

  /** Entities were deleted or merged: drop all cached numbers, also those of resolves under way. */
  readonly forget = (): void => {
    this.#generation += 1;
    this.#known.clear();
  };

  /**
   * Runs in the transaction that uses the numbers, so no other server deletes entities meanwhile.
   */
  async #applyRemoteRemovals(trx: Transaction): Promise<void> {
    const there = await this.#parts.entityGeneration?.(trx);
    if (there === undefined || there === this.#remoteGeneration) return;
    this.#remoteGeneration = there;
    this.forget();
  }

  async #openResolver(
    trx: Transaction,
    keys: ReadonlyMap<Mention, string>,
    { now, nextNo }: Making,
  ): Promise<EntityResolver> {
    const places = [...new Set(keys.values())];
    const rows = await readEntitiesByKey(trx, places);
    const names = await readEntityNames(trx, places);
    const holders = await readHoldersOf(trx, distinctIds([...keys.keys()]));
    const found = new Set(rows.map(({ no }) => no));
    const others = [...names, ...holders].map((row) => row.entity_no);
    const missing = [...new Set(others)].filter((no) => !found.has(no));
    rows.push(...(await readEntityRows(trx, missing)));
    // Without ids on one side nothing can contradict, so most names need no lookup of ids.
    const needsIds = holders.length > 0 || names.length > 0 || hasIds(keys);
    const ids = needsIds
      ? await readIdsOf(
          trx,
          rows.map(({ no }) => no),
        )
      : [];
    const hasPictures = [...keys.keys()].some((mention) => mention.pictures.length > 0);
    const pictures = hasPictures
      ? await readPicturesOf(
          trx,
          rows.map(({ no }) => no),
        )
      : [];
    const newRow = (): { no: number; id: string } => ({ no: nextNo(), id: this.#parts.newId() });
    return createEntityResolver(
      { rows, names, ids, pictures },
      { now, newRow, newId: this.#parts.newId },
    );
  }

  /** Writes the changes; gives the entities that were merged away, with their replacement. */
  async #close(trx: Transaction, resolver: EntityResolver): Promise<ReadonlyMap<number, number>> {
    const entries = resolver.entries();
    const merged = entries.filter(({ mergedInto, isNew }) => mergedInto !== null && !isNew);
    const alive = entries.filter(({ mergedInto }) => mergedInto === null);
    const fresh = alive.filter(({ isNew }) => isNew);
    const changed = alive.filter(({ isNew, isChanged }) => !isNew && isChanged);
    await insertEntityRows(
      this.#insertRows,
      trx,
      fresh.map(({ row }) => row),
    );
    const gone = new Map<number, number>();
    for (const entry of merged) {
      const merge = { to: survivorOf(entry).row, from: entry.row };
      for (const [from, to] of await mergeEntityRows(trx, this.#insertRows, merge))
        gone.set(from, to);
    }
    await saveEntityRows(
      this.#insertRows,
      trx,
      changed.map(({ row }) => row),
    );
    await insertTraces(this.#insertRows, trx, resolver.newTraces());
    const renamed = changed.filter(({ isRenamed }) => isRenamed);
    await renumberLinked(
      trx,
      renamed.map(({ row }) => row.no),
    );
    return gone;
  }

  /** Resolves the mentions; returns whether cached numbers became invalid. */
  async #settle(
    trx: Transaction,
    mentions: readonly Mention[],
    numbers: Map<string, number>,
    making: Making,
  ): Promise<boolean> {
    if (mentions.length === 0) return false;
    const keys = new Map(mentions.map((mention) => [mention, placeOf(mention, numbers)]));
    const resolver = await this.#openResolver(trx, keys, making);
    const settled = mentions.map((mention) => {
      const parentNo = mention.parent && (numbers.get(mention.parent.key) ?? null);
      return [mention.key, resolver.resolve(mention, keys.get(mention) ?? '', parentNo)] as const;
    });
    const gone = await this.#close(trx, resolver);
    for (const [key, entry] of settled) numbers.set(key, survivorOf(entry).row.no);
    // Known numbers too: their entity may just have been merged into another one.
    if (gone.size > 0) for (const [key, no] of numbers) numbers.set(key, successorOf(no, gone));
    return gone.size > 0 || resolver.entries().some(({ hasNewLock }) => hasNewLock);
  }

  /**
   * Numbers by key. New numbers are valid only once the transaction is committed: then pass them
   * to `learn`.
   */
  readonly resolve = async (
    trx: Transaction,
    mentions: readonly Mention[],
    now: number,
  ): Promise<EntityNumbers> => {
    await this.#applyRemoteRemovals(trx);
    const numbers = new Map<string, number>();
    const unknown = new Map<string, Mention>();
    const ask = (mention: Mention): void => {
      if (mention.parent !== null) ask(mention.parent);
      const no = this.#known.get(mention.key);
      if (no !== undefined) numbers.set(mention.key, no);
      else unknown.set(mention.key, mention);
    };
    for (const mention of mentions)
      if (!numbers.has(mention.key) && !unknown.has(mention.key)) ask(mention);
    const waves = Map.groupBy(unknown.values(), depthOf);
    const found = this.#generation;
    let next = await takeNumbers(trx, unknown.size);
    const making = { now, nextNo: () => next++ };
    let isStale = false;
    for (const depth of [...waves.keys()].sort())
      isStale = (await this.#settle(trx, waves.get(depth) ?? [], numbers, making)) || isStale;
    this.#foundIn.set(numbers, isStale ? -1 : found);
    return numbers;
  };

  readonly learn = (numbers: EntityNumbers): void => {
    const found = this.#foundIn.get(numbers);
    if (found === -1) this.forget();
    if (found !== this.#generation) return;
    for (const [key, no] of numbers) this.#known.set(key, no);
  };

  /** Which of these artists are known by name: keys as `Mention.nameKey`. */
  readonly knownArtists = async (
    trx: Transaction,
    nameKeys: readonly string[],
  ): Promise<ReadonlySet<string>> => {
    const places = new Map(nameKeys.map((name) => [`artist\n\n${name}`, name]));
    const keys = [...places.keys()];
    const rows = await readEntitiesByKey(trx, keys);
    const names = await readEntityNames(trx, keys);
    return new Set([...rows, ...names].flatMap(({ key }) => places.get(key) ?? []));
  };
}

/** The key of an entity: its type, parent and name. */
function placeOf({ type, parent, parentKey, nameKey }: Mention, numbers: EntityNumbers): string {
  const parentNo = parent === null ? undefined : numbers.get(parent.key);
  return `${type}\n${parentNo === undefined ? parentKey : `#${parentNo}`}\n${nameKey}`;
}

function successorOf(no: number, gone: ReadonlyMap<number, number>): number {
  const next = gone.get(no);
  return next === undefined ? no : successorOf(next, gone);
}

const depthOf = ({ parent }: Mention): number => (parent === null ? 0 : 1 + depthOf(parent));

const hasIds = (keys: ReadonlyMap<Mention, string>): boolean =>
  [...keys.keys()].some(({ ids }) => ids.length > 0);

function distinctIds(
  mentions: readonly Mention[],
): readonly { readonly type: string; readonly provider: string; readonly value: string }[] {
  const ids = mentions.flatMap(({ type, ids: own }) => own.map((id) => ({ type, ...id })));
  return [...new Map(ids.map((id) => [`${id.type}\n${id.provider}\n${id.value}`, id])).values()];
}
