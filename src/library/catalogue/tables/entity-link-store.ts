import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { takeNumbers } from './counter-store.ts';
import { moveItemRows, type ItemMove } from './item-move-store.ts';
import { chunks, inChunks, withoutEmptyColumns } from './rows.ts';
import { deleteGivenTexts } from './given-text-store.ts';
import { deletePictures } from './uploaded-picture-store.ts';

/** A row of `item_entities`. */
export interface LinkRow {
  readonly item_no: number;
  readonly entity_no: number;
  readonly role: string;
  readonly sort_order: number;
  readonly metadata: string | null;
}

/** An entity that may have entered or left a library. */
export interface Touch {
  readonly entity_no: number;
  readonly library_no: number;
}

/** All links of these items. */
export async function readLinkRows(db: Knex, itemNumbers: readonly number[]): Promise<LinkRow[]> {
  return inChunks(itemNumbers, (group) =>
    db<LinkRow>('item_entities').whereIn('item_no', group).select('*'),
  );
}

/** Adds links of items that have none. */
export async function insertLinks(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  links: readonly LinkRow[],
): Promise<void> {
  await insertRows(trx, 'item_entities', withoutEmptyColumns(links));
}

/** Adds links, and updates changed ones. */
export async function saveLinks(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  links: readonly LinkRow[],
): Promise<void> {
  const onConflict = {
    columns: ['item_no', 'entity_no', 'role'],
    update: ['sort_order', 'metadata'],
  } as const;
  await insertRows(trx, 'item_entities', links, onConflict);
}

/** Removes all links of these items. */
export async function unlinkItems(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500))
    await trx('item_entities').whereIn('item_no', group).delete();
}

/** Replaces the links, pictures and given texts of items by those of others. */
export async function moveLinks(trx: Knex.Transaction, moves: readonly ItemMove[]): Promise<void> {
  const targets = moves.map(({ to }) => to);
  await touchLinked(trx, targets);
  await unlinkItems(trx, targets);
  for (const group of chunks(targets, 500)) {
    await deletePictures(trx, group);
    await deleteGivenTexts(trx, group);
  }
  await moveItemRows(trx, 'item_entities', moves);
  await moveItemRows(trx, 'assets', moves);
  await moveItemRows(trx, 'given_texts', moves);
}

/** Queues these entities for the upkeep. */
export async function touch(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  touches: readonly Touch[],
): Promise<void> {
  const onConflict = { columns: ['entity_no', 'library_no'], update: [] } as const;
  await insertRows(trx, 'touched_entities', touches, onConflict);
}

/** Queues all entities of these items. Call it before the items or their links are deleted. */
export async function touchLinked(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500)) {
    const links = trx('item_entities')
      .join('items', 'items.no', 'item_entities.item_no')
      .whereIn('items.no', group)
      .distinct('item_entities.entity_no', 'items.library_no');
    await insertTouches(trx, links);
  }
}

/** Queues entities by number, in every library that has items of them. */
export async function touchEntities(
  trx: Knex.Transaction,
  entityNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(entityNumbers, 500)) {
    const links = trx('item_entities')
      .join('items', 'items.no', 'item_entities.item_no')
      .whereIn('item_entities.entity_no', group)
      .distinct('item_entities.entity_no', 'items.library_no');
    await insertTouches(trx, links);
  }
}

async function insertTouches(trx: Knex.Transaction, links: Knex.QueryBuilder): Promise<void> {
  // `where true` tells SQLite's parser that `on conflict` does not belong to a join.
  const { sql, bindings } = trx
    .from(links.as('links'))
    .whereRaw('true')
    .select('entity_no', 'library_no')
    .toSQL()
    .toNative();
  await trx.raw(
    `insert into touched_entities (entity_no, library_no) ${placeholders(sql)} on conflict do nothing`,
    bindings as Knex.RawBinding[],
  );
}

/** A native PostgreSQL statement has numbered placeholders; a raw one has question marks. */
const placeholders = (sql: string): string => sql.replaceAll(/\$\d+/g, '?');

/** Gives the items of these entities new numbers of the change feed. */
export async function renumberLinked(
  trx: Knex.Transaction,
  entityNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(entityNumbers, 500)) {
    const row = await trx('item_entities')
      .whereIn('entity_no', group)
      .first<{ first: number | null; last: number | null }>(
        trx.raw('min(item_no) as first, max(item_no) as last'),
      );
    if (row.first === null || row.last === null) continue;
    const firstSeq = await takeNumbers(trx, row.last - row.first + 1);
    const linked = trx('item_entities').whereIn('entity_no', group).select('item_no');
    await trx('items')
      .whereIn('no', linked)
      .update({ seq: trx.raw('no + ?', [firstSeq - row.first]) });
  }
}
