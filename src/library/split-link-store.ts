/** Which items mean another entity than the one that what they mention leads to: a person said so. */
import type { Knex } from 'knex';
import type { Database } from '../../kernel/index.ts';
import { inChunks, toColumns } from './rows.ts';

/** The item means the second when its mentions lead to the first. */
export interface SplitLink {
  readonly item_no: number;
  readonly from_no: number;
  readonly to_no: number;
}

/** By item, what each entity that is mentioned stands for; only where the other is still there. */
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
  const onConflict = { columns: ['item_no', 'from_no'], update: ['to_no'] };
  await insertRows(trx, 'split_links', links.map(toColumns), onConflict);
}

/** One entity took the place of another, so that what was apart from either is apart from it. */
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
