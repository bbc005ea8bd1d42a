import type { MigrationSet } from '../../../kernel/store/index.ts';

/** Events that are kept for plugins until they release them. */
export const eventLogMigrations: MigrationSet = {
  name: 'event-log',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('event_log', (table) => {
          table.bigIncrements('no');
          table.text('plugin_id').notNullable();
          table.text('event_id').notNullable();
          table.text('envelope').notNullable();
          table.unique(['plugin_id', 'event_id']);
          table.index(['plugin_id', 'no']);
        });
        await trx.schema.createTable('event_log_followers', (table) => {
          table.text('plugin_id').primary();
          table.text('patterns').notNullable();
        });
        await trx.schema.createTable('event_log_journals', (table) => {
          table.text('journal_id').primary();
          table.bigInteger('up_to').notNullable();
        });
      },
    },
  ],
};
