import { byteOrdered } from './byte-ordered.ts';
import { dialectOf } from './dialect.ts';
import type { MigrationSet } from './migrations.ts';
import { forgetStatistics } from './sqlite/statistics.ts';
import { indexAllBeginnings } from './text-index/index-catalogue.ts';
import {
  pairPostgres,
  quickenPostgres,
  shortenPostgres,
} from './text-index/postgres-migrations.ts';

/** The tables of the kernel itself. */
export const kernelMigrations: MigrationSet = {
  name: 'kernel',
  migrations: [
    {
      id: '001-plugin-key-value',
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
      },
    },
    {
      id: '002-text-indexes',
      up: async (trx) => {
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
      },
    },
    { id: '003-text-index-beginnings', up: indexAllBeginnings },
    { id: '004-quick-matches', up: quickenPostgres },
    { id: '005-short-rows', up: shortenPostgres },
    { id: '006-word-pairs', up: pairPostgres },
    {
      id: '007-no-statistics',
      up: async (trx) => {
        if (dialectOf(trx) === 'sqlite') await forgetStatistics(trx);
      },
    },
  ],
};
