import { byteOrdered, type MigrationSet } from '../../../kernel/store/index.ts';

/** The problems that admins were notified of, so that a restart does not tell them again. */
export const problemMigrations: MigrationSet = {
  name: 'problems',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('problems', (table) => {
          byteOrdered(table, 'key').primary();
          table.text('code').notNullable();
          table.text('severity').notNullable();
          table.text('message').notNullable();
          table.text('action').notNullable();
          table.bigInteger('since').notNullable();
          table.text('message_german');
          table.text('action_german');
        });
      },
    },
  ],
};
