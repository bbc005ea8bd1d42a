import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { takeNumbers } from './counter-store.ts';
import type { Touch } from './entity-link-store.ts';
import type { EntityRow } from './entity-store.ts';
import { chunks, inChunks, type BigNumber } from './rows.ts';

/** Some of the queued entities, with all rows of each. */
export async function readTouches(db: Knex, limit: number): Promise<Touch[]> {
  return db<Touch>('touched_entities')
    .orderBy(['entity_no', 'library_no'])
    .limit(limit)
    .select('entity_no', 'library_no');
}

/** Removes these from the queue. */
export async function deleteTouches(
  trx: Knex.Transaction,
  touches: readonly Touch[],
): Promise<void> {
  const pairs = touches.map((one) => [one.entity_no, one.library_no]);
  for (const group of chunks(pairs, 250))
    await trx('touched_entities').whereIn(['entity_no', 'library_no'], group).delete();
}

/** Those of these entities that have no item, no child and no edit of a person. */
export async function readUnheld(
  db: Knex,
  entityNumbers: readonly number[],
): Promise<Pick<EntityRow, 'no' | 'parent_no'>[]> {
  return inChunks(entityNumbers, (group) =>
    db<EntityRow>('entities')
      .whereIn('no', group)
      .whereNull('edits')
      .whereNotExists(db('item_entities').whereRaw('entity_no = entities.no').select(db.raw('1')))
      .whereNotExists(
        db('entities as part').whereRaw('part.parent_no = entities.no').select(db.raw('1')),
      )
      .select('no', 'parent_no'),
  );
}

/** Deletes entities with their ids, names and pictures. */
export async function deleteEntityRows(
  trx: Knex.Transaction,
  numbers: readonly number[],
): Promise<void> {
  for (const group of chunks(numbers, 500)) {
    for (const table of [
      'entity_ids',
      'entity_names',
      'entity_assets',
      'entity_uploads',
      'entity_counts',
      'merged_entities',
      'touched_entities',
    ])
      await trx(table).whereIn('entity_no', group).delete();
    await trx('entities').whereIn('no', group).delete();
  }
}

/** Adds tombstones: no item of the library links to the entity now. */
export async function buryEntities(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  left: readonly { readonly entityId: string; readonly libraryId: string }[],
): Promise<void> {
  const first = await takeNumbers(trx, left.length);
  const stones = left.map(({ entityId, libraryId }, index) => ({
    entity_id: entityId,
    library_id: libraryId,
    seq: first + index,
  }));
  const onConflict = { columns: ['entity_id', 'library_id'], update: ['seq'] } as const;
  await insertRows(trx, 'left_entities', stones, onConflict);
}

/**
 * Before a library is deleted: marks every entity as having left it, and queues each for the
 * upkeep.
 */
export async function leaveLibrary(trx: Knex.Transaction, libraryNo: number): Promise<void> {
  const linked = `select distinct item_entities.entity_no as no from item_entities
    join items on items.no = item_entities.item_no where items.library_no = ?`;
  const [row] = await trx
    .from(trx.raw(`(${linked}) as linked`, [libraryNo]))
    .count<{ total: BigNumber }[]>({ total: '*' });
  const first = await takeNumbers(trx, Number(row?.total ?? 0));
  await trx.raw(
    `insert into left_entities (entity_id, library_id, seq)
     select entities.id, libraries.id, cast(? as bigint) - 1 + row_number() over (order by entities.no)
     from (${linked}) as linked
     join entities on entities.no = linked.no join libraries on libraries.no = ?
     where true
     on conflict (entity_id, library_id) do update set seq = excluded.seq`,
    [first, libraryNo, libraryNo],
  );
  await trx.raw(
    `insert into touched_entities (entity_no, library_no)
     select no, cast(? as bigint) from (${linked}) as linked where true on conflict do nothing`,
    [libraryNo, libraryNo],
  );
}
