import type { MigrationSet } from '../../../kernel/store/index.ts';
import { createRetryTable } from './retry-store.ts';
import { createIndexerTable } from './indexer-backfill-store.ts';
import { createHookTable } from './hook-backfill-store.ts';
import { createWholeMatchTable } from './whole-match-store.ts';

/** It runs after the migrations of the library. */
export const matchingMigrations: MigrationSet = {
  name: 'matching',
  migrations: [
    {
      id: '0001-baseline',
      kind: 'expand',
      up: async (trx) => {
        await trx.schema.alterTable('items', (table) => {
          // The matches by plugin: JSON as in `match.ts`.
          table.text('match');
          // Whether it waits for a person to look at its match.
          table.integer('needs_look').notNullable().defaultTo(0);
        });
        await trx.raw(
          'create index items_to_look_at on items (library_no, no) where needs_look = 1',
        );
        await createIndexerTable(trx);
        await createWholeMatchTable(trx);
        await createRetryTable(trx);
        await createHookTable(trx);
      },
    },
  ],
};
