import type { Knex } from 'knex';
import { noteChange } from '../../../platform/audit/index.ts';

/**
 * Reserves `count` numbers and gives the first. They are reserved inside the transaction that uses
 * them, and writers wait for each other here; so a reader of the change feed never sees a higher
 * number before a lower one.
 */
export async function takeNumbers(trx: Knex.Transaction, count: number): Promise<number> {
  if (count === 0) return 0;
  const [row] = await trx<CounterRow>('library_counter')
    .where({ id: 1 })
    .update({ value: trx.raw('value + ?', [count]) }, ['value']);
  const last = Number(row?.value);
  noteChange(last);
  return last - count + 1;
}

/** The last number reserved. */
export async function lastNumber(db: Knex): Promise<number> {
  const row = await db<CounterRow>('library_counter').where({ id: 1 }).first('value');
  return Number(row?.value ?? 0);
}

interface CounterRow {
  readonly id: number;
  readonly value: number | string;
}
