import type { MigrationSet } from '../../../kernel/store/index.ts';

/** The table of servers by license. */
export const seatMigrations: MigrationSet = {
  name: 'license-seats',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.createTable('seats', (table) => {
          table.text('license_id').notNullable();
          table.text('server_id').notNullable();
          table.bigInteger('taken_at').notNullable();
          table.bigInteger('seen_at').notNullable();
          table.primary(['license_id', 'server_id']);
        });
      },
    },
  ],
};
