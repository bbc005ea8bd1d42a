import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { mergeRows } from './entity-merge.ts';
import type { LinkRow } from '../tables/entity-link-store.ts';
import { touchEntities } from '../tables/entity-link-store.ts';
import { moveSplitLinks } from '../tables/split-link-store.ts';
import { deleteEntityCounts } from '../tables/entity-count-store.ts';
import { readEntitiesByKey, saveEntityRows, type EntityRow } from '../tables/entity-store.ts';

/** Two entities to merge. */
export interface Merge {
  readonly to: Pick<EntityRow, 'no'>;
  readonly from: Pick<EntityRow, 'no' | 'id' | 'key'>;
}

/**
 * Gives the first entity everything of the second: links, ids, names, former ids, and children. The
 * second is deleted; its id leads to the first. Gives every entity that was deleted, children of
 * the second too, with the one that replaced it.
 */
export async function mergeEntityRows(
  trx: Knex.Transaction,
  insertRows: Database['insertRows'],
  { to, from }: Merge,
): Promise<readonly (readonly [from: number, to: number])[]> {
  await leaveLibraries(trx, insertRows, from);
  await touchEntities(trx, [from.no]);
  await moveLinksOf(trx, from.no, to.no);
  await trx('entity_ids').where('entity_no', from.no).update({ entity_no: to.no });
  await moveNames(trx, insertRows, from, to.no);
  await movePictures(trx, from.no, to.no);
  await moveSplitLinks(trx, from.no, to.no);
  await trx('merged_entities').where('entity_no', from.no).update({ entity_no: to.no });
  await trx('merged_entities').insert({ id: from.id, entity_no: to.no });
  await trx('touched_entities').where('entity_no', from.no).delete();
  await deleteEntityCounts(trx, [from.no]);
  await trx('entities').where('no', from.no).delete();
  await touchEntities(trx, [to.no]);
  const children = await moveChildren(trx, insertRows, from.no, to.no);
  return [[from.no, to.no], ...children];
}

/**
 * Removes its documents from every index. Those of the survivor are written again with its items.
 */
async function leaveLibraries(
  trx: Knex.Transaction,
  insertRows: Database['insertRows'],
  { no, id }: Merge['from'],
): Promise<void> {
  const libraries = await trx('item_entities')
    .join('items', 'items.no', 'item_entities.item_no')
    .join('libraries', 'libraries.no', 'items.library_no')
    .where('item_entities.entity_no', no)
    .distinct<{ id: string }[]>('libraries.id');
  const first = await takeNumbers(trx, libraries.length);
  const stones = libraries.map((library, index) => ({
    entity_id: id,
    library_id: library.id,
    seq: first + index,
  }));
  const onConflict = { columns: ['entity_id', 'library_id'], update: ['seq'] } as const;
  await insertRows(trx, 'left_entities', stones, onConflict);
}

async function moveLinksOf(trx: Knex.Transaction, from: number, to: number): Promise<void> {
  await trx.raw(
    `delete from item_entities where entity_no = ? and exists (
       select 1 from item_entities as other
       where other.item_no = item_entities.item_no and other.role = item_entities.role
         and other.entity_no = ?)`,
    [from, to],
  );
  await trx<LinkRow>('item_entities').where('entity_no', from).update({ entity_no: to });
}

async function moveNames(
  trx: Knex.Transaction,
  insertRows: Database['insertRows'],
  from: Merge['from'],
  to: number,
): Promise<void> {
  const names = await trx<{ key: string; entity_no: number }>('entity_names')
    .where('entity_no', from.no)
    .select('key');
  await trx('entity_names').where('entity_no', from.no).delete();
  const keys = [from.key, ...names.map(({ key }) => key)];
  const rows = keys.map((key) => ({ key, entity_no: to }));
  await insertRows(trx, 'entity_names', rows, { columns: ['key', 'entity_no'], update: [] });
}

async function movePictures(trx: Knex.Transaction, from: number, to: number): Promise<void> {
  const there = trx('entity_assets').where('entity_no', to).select('type');
  await trx('entity_assets').where('entity_no', from).whereIn('type', there).delete();
  await trx('entity_assets').where('entity_no', from).update({ entity_no: to });
  await trx('entity_uploads').where('entity_no', from).update({ entity_no: to });
}

/** Seasons and albums have their parent's number in their key; two of one name are merged. */
async function moveChildren(
  trx: Knex.Transaction,
  insertRows: Database['insertRows'],
  from: number,
  to: number,
): Promise<readonly (readonly [number, number])[]> {
  const merged: (readonly [number, number])[] = [];
  const children = await trx<EntityRow>('entities').where('parent_no', from).select('*');
  const moved = (key: string): string => key.replace(`\n#${from}\n`, `\n#${to}\n`);
  const twins = await readEntitiesByKey(
    trx,
    children.map(({ key }) => moved(key)),
  );
  const twinByKey = new Map(twins.map((twin) => [twin.key, twin]));
  for (const child of children) {
    const twin = twinByKey.get(moved(child.key));
    if (twin === undefined) {
      const place = { key: moved(child.key), parent_no: to };
      await trx<EntityRow>('entities').where('no', child.no).update(place);
      continue;
    }
    mergeRows(twin, child);
    merged.push(...(await mergeEntityRows(trx, insertRows, { to: twin, from: child })));
    await saveEntityRows(insertRows, trx, [twin]);
  }
  return merged;
}
