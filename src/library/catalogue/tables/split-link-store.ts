/** Items whose mention of one entity means another one, because a person split it off. */
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { inChunks } from './rows.ts';

/** When the item's mentions lead to the first entity, it means the second. */
export interface SplitLink {
  readonly item_no: number;
  readonly from_no: number;
  readonly to_no: number;
}

/** By item: the replacement of each mentioned entity, if that still exists. */
export async function readSplitLinks(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const rows = await inChunks(itemNumbers, (group) =>
    db('split_links')
      .join('entities', 'entities.no', 'split_links.to_no')
      .whereIn('split_links.item_no', group)
      .select<SplitLink[]>('split_links.item_no', 'split_links.from_no', 'split_links.to_no'),
  );
  const byItem = Map.groupBy(rows, ({ item_no }) => item_no);
  return new Map(
    [...byItem].map(([no, links]) => [
      no,
      new Map(links.map(({ from_no, to_no }) => [from_no, to_no])),
    ]),
  );
}

export async function saveSplitLinks(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  links: readonly SplitLink[],
): Promise<void> {
  const onConflict = { columns: ['item_no', 'from_no'], update: ['to_no'] } as const;
  await insertRows(trx, 'split_links', links, onConflict);
}

/** Transfers splits when one entity was merged into another. */
export async function moveSplitLinks(
  trx: Knex.Transaction,
  from: number,
  to: number,
): Promise<void> {
  await trx.raw(
    `insert into split_links (item_no, from_no, to_no)
     select item_no, cast(? as bigint), to_no from split_links where from_no = ? on conflict do nothing`,
    [to, from],
  );
  await trx('split_links').where('from_no', from).delete();
  await trx('split_links').where('to_no', from).update({ to_no: to });
  await trx('split_links').whereRaw('from_no = to_no').delete();
}
