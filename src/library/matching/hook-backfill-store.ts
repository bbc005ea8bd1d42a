import type { Knex } from 'knex';
import type { Database, Queries, Transaction } from '../../../kernel/store/index.ts';

/** A hook that has seen, or is about to see, all items of a library. */
export interface KnownHook {
  readonly plugin_id: string;
  /** Its name; one without a dot is a capability of the plugin. */
  readonly hook: string;
  readonly library_id: string;
  /** Whether its answers counted. */
  readonly writes: boolean | number;
  /** The version of these answers. */
  readonly answers_version: number;
  /** The folders of its grant, as JSON; null = the whole library. */
  readonly folders: string | null;
}

const table = 'known_hooks';

/** A row without a plugin and a hook: the hooks of this library are known, even when there are none. */
const ofLibrary = (library_id: string): KnownHook => ({
  plugin_id: '',
  hook: '',
  library_id,
  writes: false,
  answers_version: 1,
  folders: null,
});

export async function createHookTable(trx: Knex.Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('plugin_id').notNullable();
    columns.text('hook').notNullable();
    columns.text('library_id').notNullable();
    columns.boolean('writes').notNullable();
    columns.text('folders');
    columns.integer('answers_version').notNullable().defaultTo(1);
    columns.primary(['plugin_id', 'hook', 'library_id']);
  });
}

export async function readKnownHooks(
  db: Queries,
): Promise<{ readonly hooks: readonly KnownHook[]; readonly libraries: ReadonlySet<string> }> {
  const rows = await db<KnownHook>(table).select('*');
  const libraries = rows.filter(({ hook }) => hook === '').map(({ library_id }) => library_id);
  return { hooks: rows.filter(({ hook }) => hook !== ''), libraries: new Set(libraries) };
}

export async function saveKnownHooks(
  { insertRows }: Pick<Database, 'insertRows'>,
  trx: Transaction,
  hooks: readonly KnownHook[],
  libraries: readonly string[] = [],
): Promise<void> {
  const columns = ['plugin_id', 'hook', 'library_id'] as const;
  const rows = [...hooks, ...libraries.map(ofLibrary)];
  await insertRows(trx, table, rows, { columns, update: ['writes', 'answers_version', 'folders'] });
}

/** Once it is granted again, it is a new one. */
export async function forgetHook(trx: Transaction, hook: KnownHook): Promise<void> {
  const { plugin_id, hook: name, library_id } = hook;
  await trx(table).where({ plugin_id, hook: name, library_id }).delete();
}

export async function forgetLibrary(trx: Transaction, library_id: string): Promise<void> {
  await trx(table).where({ library_id }).delete();
}
