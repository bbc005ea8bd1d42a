import { byteOrdered } from './byte-ordered.ts';
import { dialectOf } from './dialect.ts';
import type { MigrationSet } from './migrations.ts';
import { createWalks } from './text-index/postgres-walks.ts';

/** The tables of the kernel itself. */
export const kernelMigrations: MigrationSet = {
  name: 'kernel',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('kv_entries', (table) => {
          byteOrdered(table, 'plugin_id').notNullable();
          byteOrdered(table, 'key').notNullable();
          table.text('value').notNullable();
          table.integer('size_bytes').notNullable();
          table.primary(['plugin_id', 'key']);
        });
        await trx.schema.createTable('kv_usage', (table) => {
          byteOrdered(table, 'plugin_id').primary();
          table.bigInteger('used_bytes').notNullable();
        });
        await trx.schema.createTable('text_indexes', (table) => {
          table.increments('index_id');
          byteOrdered(table, 'plugin_id').notNullable().unique();
          table.integer('documents').notNullable();
          table.integer('next_sequence').notNullable();
        });
        await trx.schema.createTable('text_index_labels', (table) => {
          table.integer('index_id').notNullable();
          table.text('type').notNullable();
          byteOrdered(table, 'label').notNullable();
          table.integer('ordinal').notNullable();
          table.primary(['index_id', 'type', 'label']);
        });
        if (dialectOf(trx) === 'postgres') await createWalks(trx);
      },
    },
  ],
};
