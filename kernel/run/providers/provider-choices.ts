/** The stored provider of each key: a row for each key that a built-in does not serve by default. */
import type { Database, Queries, Transaction } from '../../store/index.ts';
import type { AlongsideChange } from '../settings/plugin-store.ts';

/** The choices, by key. */
export type ProviderChoices = ReturnType<typeof createProviderChoices>;

const table = 'plugin_providers';

interface Row {
  readonly key: string;
  readonly plugin_id: string;
}

export async function createProviderTable(trx: Transaction): Promise<void> {
  await trx.schema.createTable(table, (columns) => {
    columns.text('key').primary();
    columns.text('plugin_id').notNullable().index();
  });
}

/** Removes the choices of a plugin, in a transaction of the caller. */
export async function removeChoicesOf(trx: Transaction, pluginId: string): Promise<void> {
  await trx<Row>(table).where({ plugin_id: pluginId }).delete();
}

/** Creates the choices; nothing is read before `load`. */
export function createProviderChoices(database: Database) {
  let kept: ReadonlyMap<string, string> = new Map();

  const read = async (queries: Queries): Promise<void> => {
    const rows = await queries<Row>(table).select();
    kept = new Map(rows.map(({ key, plugin_id }) => [key, plugin_id]));
  };

  return {
    load: (): Promise<void> => read(database.read),
    of: (key: string): string | undefined => kept.get(key),
    all: (): ReadonlyMap<string, string> => kept,
    /** Makes the plugin the provider of the key. */
    choose: async (key: string, pluginId: string, alongside?: AlongsideChange): Promise<void> => {
      await database.write(async (trx) => {
        const row = await trx<Row>(table).where({ key }).first();
        await trx<Row>(table).insert({ key, plugin_id: pluginId }).onConflict('key').merge();
        await alongside?.(trx, { before: row?.plugin_id, after: pluginId });
      });
      kept = new Map([...kept, [key, pluginId]]);
    },
    /** Gives the plugin those of the keys that have no choice. */
    claim: async (keys: readonly string[], pluginId: string): Promise<void> => {
      const free = keys.filter((key) => !kept.has(key));
      if (free.length === 0) return;
      await database.write(async (trx) => {
        // Another server may have stored a choice meanwhile.
        for (const key of free)
          await trx<Row>(table).insert({ key, plugin_id: pluginId }).onConflict('key').ignore();
      });
      await read(database.read);
    },
    /** Removes the choices of these keys. */
    drop: async (keys: readonly string[]): Promise<void> => {
      if (keys.length === 0) return;
      await database.write((trx) =>
        trx<Row>(table)
          .whereIn('key', [...keys])
          .delete(),
      );
      kept = new Map([...kept].filter(([key]) => !keys.includes(key)));
    },
  };
}
