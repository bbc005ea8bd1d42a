import type { Knex } from 'knex';
import { dialectOf } from './dialect.ts';

/** What the database does for each changed row, in any transaction. */
export interface Trigger {
  readonly name: string;
  readonly table: string;
  readonly on: `${'before' | 'after'} ${'insert' | 'update' | 'delete'}`;
  /** SQL over `new` and `old`; absent = always. */
  readonly when?: string;
  /** A statement over `new` and `old`, or the message of the error that aborts the change. */
  readonly does: { readonly run: string } | { readonly refuse: string };
}

/** Creates a trigger in the dialect of the database. */
export async function createTrigger(trx: Knex.Transaction, trigger: Trigger): Promise<void> {
  const { name, table, on, when, does } = trigger;
  if (dialectOf(trx) === 'sqlite') {
    const body = 'run' in does ? does.run : `select raise(abort, ${quoted(does.refuse)})`;
    const condition = when === undefined ? '' : ` when ${when}`;
    await trx.raw(`create trigger ${name} ${on} on ${table}${condition} begin ${body}; end`);
    return;
  }
  const body = 'run' in does ? does.run : `raise exception using message = ${quoted(does.refuse)}`;
  await trx.raw(`create function ${name}() returns trigger language plpgsql as $body$ begin
    if ${when ?? 'true'} then ${body}; end if;
    if tg_op = 'DELETE' then return old; end if;
    return new;
  end $body$`);
  await trx.raw(`create trigger ${name} ${on} on ${table} for each row execute function ${name}()`);
  // In PostgreSQL, `truncate` does not fire triggers of deleted rows.
  if (on === 'before delete' && 'refuse' in does)
    await trx.raw(`create trigger ${name}_at_once before truncate on ${table}
      for each statement execute function ${name}()`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
