import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The last run of each task, so that a missed run is made up once and none is done twice. */
export const schedulerMigrations: MigrationSet = {
  name: 'scheduler',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('scheduled_tasks', (table) => {
          table.text('name').primary();
          table.bigInteger('known_since').notNullable();
          table.bigInteger('last_run_at');
          table.bigInteger('last_duration_ms');
          table.text('last_error');
          table.bigInteger('last_success_at');
        });
        await trx.schema.createTable('plugin_wakes', (table) => {
          table.text('plugin_id').notNullable();
          table.text('name').notNullable();
          table.bigInteger('at').notNullable();
          table.bigInteger('every_ms');
          table.integer('failures').notNullable();
          table.primary(['plugin_id', 'name']);
        });
      },
    },
  ],
};
