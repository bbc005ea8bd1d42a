import type { Database } from '../../../../kernel/storage/index.ts';

const tables = [
  ...[
    'items',
    'files',
    'entities',
    'item_entities',
    'entity_names',
    'entity_counts',
    'touched_entities',
  ],
  ...['letter_counts', 'item_languages', 'assets', 'entity_assets'],
];
/** With fewer changes the plans of before still fit. */
const leastChanges = 1000;

/**
 * Has PostgreSQL measure the tables of the catalogue after so many changes. It measures by itself only
 * a minute later, and until then plans for tables that have no rows. SQLite plans without measuring.
 */
export async function measureTables(
  { dialect, write }: Pick<Database, 'dialect' | 'write'>,
  changes: number,
): Promise<void> {
  if (dialect !== 'postgres' || changes < leastChanges) return;
  await write((trx) => trx.raw(`analyze ${tables.join(', ')}`));
}
