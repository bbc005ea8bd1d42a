/**
 * Automatic collections: one for each genre and each series with enough items. It follows the
 * upkeep of entities in its transactions, so collections are created, changed and removed with the
 * libraries. Their items are not copied, only counted.
 */
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { EntityCensus, EntityFollower } from '../../library/catalogue/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { deleteCollections, updateCollection, type CollectionRow } from './collection-store.ts';
import { hasCollection, autoCollectionRow, refreshed, ruleOf } from './auto-collection.ts';
import {
  insertAutoCollections,
  readAutoCollections,
  readLibraryTypes,
  readOrphans,
  replaceCounts,
} from './auto-collection-store.ts';

export interface AutoCollectionsParts {
  readonly database: Pick<Database, 'insertRows'>;
  readonly newId: NewId;
  readonly now: () => number;
}

/** Creates the follower. */
export function createAutoCollections(parts: AutoCollectionsParts): EntityFollower {
  const { newId, now } = parts;
  const { insertRows } = parts.database;

  /** After a merge, the surviving entity takes over a collection that an admin edited. */
  async function settleOrphans(trx: Transaction): Promise<void> {
    const orphans = await readOrphans(trx);
    if (orphans.length === 0) return;
    const survivors = orphans.flatMap(({ survivor_no: no }) => no ?? []);
    const taken = new Set(
      (await readAutoCollections(trx, survivors)).map((row) => row.rule_entity_no),
    );
    const dead: number[] = [];
    for (const { no, edits, survivor_no: survivor } of orphans) {
      if (edits === null || survivor === null || taken.has(survivor)) {
        dead.push(no);
        continue;
      }
      taken.add(survivor);
      await updateCollection(trx, no, { rule_entity_no: survivor });
    }
    await deleteCollections(trx, dead);
  }

  async function makeMissing(
    trx: Transaction,
    entities: readonly EntityCensus[],
    types: ReadonlyMap<number, string>,
  ): Promise<readonly CollectionRow[]> {
    const numbers = entities.map(({ no }) => no);
    const known = await readAutoCollections(trx, numbers);
    const there = new Set(known.map((row) => row.rule_entity_no));
    const missing = entities.filter((entity) => hasCollection(entity) && !there.has(entity.no));
    if (missing.length === 0) return known;
    const rows = missing.map((entity) => {
      const mediaType = mediaTypeOf(entity, types);
      return autoCollectionRow(entity, { id: newId(), mediaType, now: now() });
    });
    await insertAutoCollections(insertRows, trx, rows);
    return readAutoCollections(trx, numbers);
  }

  return async (trx, census) => {
    await settleOrphans(trx);
    const entities = census.filter((entity) => ruleOf(entity) !== null);
    if (entities.length === 0) return;
    const types = await readLibraryTypes(trx);
    const rows = await makeMissing(trx, entities, types);
    const byEntity = new Map(entities.map((entity) => [entity.no, entity]));
    const pairs = rows.flatMap((row) => {
      const entity = byEntity.get(row.rule_entity_no ?? 0);
      return entity === undefined ? [] : [{ row, entity, isShown: hasCollection(entity) }];
    });
    // A collection that an admin edited is kept without items, hence invisible, for their return.
    const gone = pairs.filter(({ row, isShown }) => !isShown && row.edits === null);
    await deleteCollections(
      trx,
      gone.map(({ row }) => row.no),
    );
    for (const { row, entity, isShown } of pairs) {
      const changes = isShown ? refreshed(row, entity, mediaTypeOf(entity, types)) : null;
      if (changes) await updateCollection(trx, row.no, { ...changes, updated_at: now() });
    }
    const counts = pairs.map(({ row, entity, isShown }) => ({
      collectionNo: row.no,
      items: isShown ? entity.counts : [],
    }));
    await replaceCounts(insertRows, trx, counts);
  };
}

/** The type of the libraries of its items, if it is one type. */
function mediaTypeOf({ items }: EntityCensus, types: ReadonlyMap<number, string>): string {
  const [only, ...others] = new Set([...items.keys()].flatMap((no) => types.get(no) ?? []));
  return only !== undefined && others.length === 0 ? only : '';
}
