import type { Knex } from 'knex';
import { KernelError } from '../errors.ts';
import { dialectOf } from './dialect.ts';
import { tablesOf } from './text-index/index-tables.ts';

export interface DatabaseFault {
  /** The check that found it: `pages`, `text-index`. */
  readonly check: string;
  /** A sentence for an admin. */
  readonly message: string;
}

const mostTold = 20;

/**
 * Checks the whole database: every page, row, index and word index of SQLite, and the kernel's own
 * tables. It only reads, so writers do not wait. PostgreSQL checks its own pages.
 */
export async function checkDatabase(read: Knex): Promise<readonly DatabaseFault[]> {
  const own = dialectOf(read) === 'sqlite' ? await checkFile(read).catch(whatIsDamaged) : [];
  // Checks on damaged pages are meaningless.
  if (own.length > 0) return own;
  return [...(await checkIndexes(read)), ...(await checkStores(read))];
}

/** The fault when SQLite cannot even finish its check. */
function whatIsDamaged(error: unknown): readonly DatabaseFault[] {
  if (!(error instanceof KernelError) || error.code !== 'storage_damaged') throw error;
  return [{ check: 'pages', message: error.message }];
}

async function checkFile(read: Knex): Promise<readonly DatabaseFault[]> {
  const pages = await read.raw<readonly { integrity_check: string }[]>(
    `pragma integrity_check(${mostTold})`,
  );
  const links = await read.raw<readonly { table: string; parent: string }[]>(
    'pragma foreign_key_check',
  );
  return [
    ...pages
      .map((row) => row.integrity_check)
      .filter((text) => text !== 'ok')
      .map((text) => ({ check: 'pages', message: `SQLite says: ${text}.` })),
    ...links.slice(0, mostTold).map(({ table, parent }) => ({
      check: 'foreign-keys',
      message: `A row of ${table} refers to a missing row of ${parent}.`,
    })),
  ];
}

/** Compares the catalogue of the word indexes with their documents. */
async function checkIndexes(read: Knex): Promise<readonly DatabaseFault[]> {
  const faults: DatabaseFault[] = [];
  const indexes = await read<{ index_id: number; plugin_id: string; documents: number }>(
    'text_indexes',
  ).select('index_id', 'plugin_id', 'documents');
  for (const { index_id: id, plugin_id: pluginId, documents } of indexes) {
    const { documents: table } = tablesOf(id);
    // One statement, so that no write comes between the two counts.
    const [row] = await read.raw<readonly { noted: number | string; found: number | string }[]>(
      `select (select documents from text_indexes where index_id = ?) as noted, count(*) as found from ${table}`,
      [id],
    );
    if (row === undefined || row.noted === null || Number(row.noted) === Number(row.found))
      continue;
    faults.push({
      check: 'text-index',
      message: `The text index of ${pluginId} has ${row.found} documents, but its catalogue says ${documents}.`,
    });
  }
  return faults;
}

/** Compares the recorded usage of plugins' stores with their content. */
async function checkStores(read: Knex): Promise<readonly DatabaseFault[]> {
  const rows = await read.raw<readonly { plugin_id: string }[]>(
    `select kv_usage.plugin_id from kv_usage where used_bytes <>
       (select coalesce(sum(size_bytes), 0) from kv_entries where kv_entries.plugin_id = kv_usage.plugin_id)`,
  );
  return rows.map(({ plugin_id: pluginId }) => ({
    check: 'plugin-store',
    message: `The store of ${pluginId} has another size than its record says.`,
  }));
}
