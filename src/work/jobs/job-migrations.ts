import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of the queue. */
export const jobMigrations: MigrationSet = {
  name: 'jobs',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('jobs', (table) => {
          table.text('id').primary();
          table.text('type').notNullable();
          table.text('library_id');
          table.text('plugin_id');
          table.text('status').notNullable();
          table.integer('priority').notNullable();
          table.text('payload').notNullable();
          table.text('checkpoint');
          table.text('result');
          table.double('progress').notNullable();
          table.text('error_message');
          table.integer('attempts').notNullable();
          table.integer('interruptions').notNullable();
          table.boolean('is_cancelling').notNullable();
          table.text('exclusion_key');
          table.text('lease_owner');
          table.bigInteger('lease_until');
          table.bigInteger('not_before').notNullable();
          table.text('created_at').notNullable();
          table.text('started_at');
          table.text('completed_at');
          table.index(['status', 'priority', 'id'], 'jobs_by_turn');
          table.index(['status', 'completed_at'], 'jobs_by_end');
          table.index(['library_id', 'id'], 'jobs_by_library');
        });
        // The database guarantees that two jobs of one key, such as scans of a library, never run at the
        // same time. One may wait meanwhile.
        await trx.raw(
          `create unique index jobs_exclusion on jobs (exclusion_key) where status = 'running'`,
        );
        await trx.raw(`create index jobs_waiting on jobs (exclusion_key) where status = 'pending'`);
      },
    },
  ],
};
