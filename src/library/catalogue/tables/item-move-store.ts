import type { Knex } from 'knex';
import { chunks } from './rows.ts';

/** The rows of one item that are assigned to another one. */
export interface ItemMove {
  readonly from: number;
  readonly to: number;
}

/** Assigns rows of some items to others, many in one statement. Each item is moved once. */
export async function moveItemRows(
  trx: Knex.Transaction,
  table: 'files' | 'item_entities' | 'assets' | 'given_texts',
  moves: readonly ItemMove[],
): Promise<void> {
  for (const group of chunks(moves, 250)) {
    const places = group.map(() => '(cast(? as integer), cast(? as integer))').join(', ');
    const bindings = group.flatMap(({ from, to }) => [from, to]);
    await trx.raw(
      `with moved (from_no, to_no) as (values ${places})
       update ${table} set item_no = (select to_no from moved where from_no = item_no)
       where item_no in (select from_no from moved)`,
      bindings,
    );
  }
}
