import { createTrigger, dialectOf, type Transaction } from '../../../../../kernel/store/index.ts';

/**
 * How many active items of each library and certification a letter has; no certification is ''. The
 * database counts them itself, so that no write of an item can forget it.
 */
export async function countLetters(trx: Transaction): Promise<void> {
  await trx.schema.createTable('letter_counts', (table) => {
    table.integer('library_no').notNullable();
    table.text('letter').notNullable();
    table.text('certification').notNullable();
    table.integer('items').notNullable();
    table.primary(['library_no', 'letter', 'certification']);
  });
  if (dialectOf(trx) === 'sqlite') await countEachRow(trx);
  else await countEachStatement(trx);
}

const key = (row: string): string =>
  `${row}.library_no, ${row}.letter, coalesce(${row}.certification, '')`;

async function countEachRow(trx: Transaction): Promise<void> {
  const count = (row: string, by: number): string =>
    `insert into letter_counts (library_no, letter, certification, items)
     values (${key(row)}, ${by})
     on conflict (library_no, letter, certification) do update set items = items + ${by}`;
  const triggers = [
    ['added', 'insert', "new.status = 'active'", count('new', 1)],
    ['removed', 'delete', "old.status = 'active'", count('old', -1)],
    ['left', 'update', `old.status = 'active' and ${isOther}`, count('old', -1)],
    ['came', 'update', `new.status = 'active' and ${isOther}`, count('new', 1)],
  ] as const;
  for (const [name, on, when, run] of triggers)
    await createTrigger(trx, {
      name: `letters_of_${name}_items`,
      table: 'items',
      on: `after ${on}`,
      when,
      does: { run },
    });
}

const isOther = `(old.status <> new.status or old.letter <> new.letter
  or coalesce(old.certification, '') <> coalesce(new.certification, ''))`;

/**
 * One statement changes many rows of one letter, and PostgreSQL keeps a version of a count for each
 * change: so it counts once for all of them. The order of the counts is always the same, so that two
 * transactions cannot wait for each other.
 */
async function countEachStatement(trx: Transaction): Promise<void> {
  const rowsOf = (rows: string, by: number): string =>
    `select library_no, letter, coalesce(certification, '') as certification, ${by} as items
     from ${rows} where status = 'active'`;
  const triggers = [
    ['insert', 'new table as after_rows', rowsOf('after_rows', 1)],
    ['delete', 'old table as before_rows', rowsOf('before_rows', -1)],
    [
      'update',
      'old table as before_rows new table as after_rows',
      `${rowsOf('before_rows', -1)} union all ${rowsOf('after_rows', 1)}`,
    ],
  ] as const;
  for (const [on, tables, changes] of triggers) {
    const name = `letters_after_${on}`;
    await trx.raw(`create function ${name}() returns trigger language plpgsql as $body$ begin
      insert into letter_counts (library_no, letter, certification, items)
      select library_no, letter, certification, sum(changes.items) from (${changes}) as changes
      group by 1, 2, 3 having sum(changes.items) <> 0 order by 1, 2, 3
      on conflict (library_no, letter, certification)
      do update set items = letter_counts.items + excluded.items;
      return null;
    end $body$`);
    await trx.raw(`create trigger ${name} after ${on} on items referencing ${tables}
      for each statement execute function ${name}()`);
  }
}
