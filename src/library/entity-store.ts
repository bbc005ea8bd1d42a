import type { Knex } from 'knex';
import { inChunks, type BigNumber } from './rows.ts';

export type EntityStatus = 'pending' | 'complete';

/** A row of `entities`. */
export interface EntityRow {
  readonly no: number;
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly name: string;
  readonly sort_name: string;
  readonly status: EntityStatus;
  readonly source_plugin_id: string | null;
  readonly search_terms: string | null;
  readonly metadata: string | null;
  readonly assets: string | null;
  readonly asset_aspects: string | null;
  readonly hidden: boolean | number;
  readonly created_at: BigNumber;
  readonly updated_at: BigNumber;
}

/** A row of `item_entities`. */
export interface LinkRow {
  readonly item_no: number;
  readonly entity_no: number;
  readonly role: string;
  readonly sort_order: number;
  readonly metadata: string | null;
}

/** Numbers of the entities that exist, by key. */
export async function readEntityNumbers(
  db: Knex,
  keys: readonly string[],
): Promise<{ readonly no: number; readonly key: string }[]> {
  return inChunks(keys, (group) =>
    db<EntityRow>('entities').whereIn('key', group).select('no', 'key'),
  );
}

/** Takes all links of these items away. */
export async function unlinkItems(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  await inChunks(itemNumbers, async (group) => {
    await trx('item_entities').whereIn('item_no', group).delete();
    return [];
  });
}

/** Gives an item the links of another in place of its own. */
export async function moveLinks(trx: Knex.Transaction, from: number, to: number): Promise<void> {
  await unlinkItems(trx, [to]);
  await trx<LinkRow>('item_entities').where('item_no', from).update({ item_no: to });
  await trx('assets').where('item_no', to).delete();
  await trx('assets').where('item_no', from).update({ item_no: to });
}
