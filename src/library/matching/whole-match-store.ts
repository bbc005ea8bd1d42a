import type { Knex } from 'knex';
import {
  createTrigger,
  type Database,
  type Queries,
  type Transaction,
} from '../../../kernel/store/index.ts';

/** What a person chose for a show or an album of a library, by plugin. */
export interface WholeMatch {
  readonly library_no: number;
  /** The show or album: see `wholeOf`. */
  readonly whole: string;
  readonly plugin_id: string;
  /** Null = all candidates were rejected. */
  readonly match_id: string | null;
  /** Unix milliseconds. */
  readonly matched_at: number;
}

const table = 'whole_matches';

export async function createWholeMatchTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.integer('library_no').notNullable();
    columns.text('whole').notNullable();
    columns.text('plugin_id').notNullable();
    columns.text('match_id');
    columns.bigInteger('matched_at').notNullable();
    columns.primary(['library_no', 'whole', 'plugin_id']);
  });
  await createTrigger(trx, {
    name: 'whole_matches_go_with_libraries',
    on: 'after delete',
    table: 'libraries',
    does: { run: `delete from ${table} where library_no = old.no` },
  });
}

/** PostgreSQL gives large numbers as texts. */
type StoredRow = Omit<WholeMatch, 'matched_at'> & { readonly matched_at: number | string };

const atOnce = 200;

/** The choices for these shows and albums. */
export async function readWholeMatches(
  db: Queries,
  library_no: number,
  wholes: readonly string[],
): Promise<readonly WholeMatch[]> {
  const found: StoredRow[] = [];
  for (let at = 0; at < wholes.length; at += atOnce) {
    const some = wholes.slice(at, at + atOnce);
    found.push(...(await db<StoredRow>(table).where({ library_no }).whereIn('whole', some)));
  }
  return found.map((row) => ({ ...row, matched_at: Number(row.matched_at) }));
}

export async function saveWholeMatches(
  insertRows: Database['insertRows'],
  trx: Transaction,
  rows: readonly WholeMatch[],
): Promise<void> {
  await insertRows(trx, table, rows, {
    columns: ['library_no', 'whole', 'plugin_id'],
    update: ['match_id', 'matched_at'],
  });
}
