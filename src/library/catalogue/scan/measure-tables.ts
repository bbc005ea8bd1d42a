import type { Database } from '../../../../kernel/store/index.ts';

const tables = [
  'items',
  'files',
  'entities',
  'item_entities',
  'entity_names',
  'entity_counts',
  'touched_entities',
  'letter_counts',
  'item_languages',
  'assets',
  'entity_assets',
];
/** With fewer new files the plans of before still fit. */
const leastFiles = 1000;
/** By this factor a library grows until its tables are measured again. */
const growth = 4;

/**
 * Has PostgreSQL measure the tables of the catalogue when a scan has added many files: each time their
 * number has grown by a factor, and at the end. By itself PostgreSQL measures only a minute later, and
 * until then it may read a whole table for each row of another. SQLite plans without measuring.
 */
export async function measureTables(
  { dialect, write }: Pick<Database, 'dialect' | 'write'>,
  { before, after }: { readonly before: number; readonly after: number | 'end' },
): Promise<void> {
  const isDue = after === 'end' ? stageOf(before) > 0 : stageOf(after) > stageOf(before);
  if (dialect === 'postgres' && isDue)
    await write((trx) => trx.raw(`analyze ${tables.join(', ')}`));
}

const stageOf = (files: number): number =>
  files < leastFiles ? 0 : 1 + Math.floor(Math.log(files / leastFiles) / Math.log(growth));
