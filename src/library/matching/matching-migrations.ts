import type { MigrationSet } from '../../../kernel/storage/index.ts';
import { createRetryTable, splitRetriesBySource } from './retry-store.ts';
import { createIndexerTable } from './indexer-backfill-store.ts';
import { addAnswersVersions, createHookTable } from './hook-backfill-store.ts';
import { addLooks } from './look-store.ts';
import { createWholeMatchTable } from './whole-match-store.ts';

/** It runs after the migrations of the library. */
export const matchingMigrations: MigrationSet = {
  name: 'matching',
  migrations: [
    {
      id: '0001-match-of-items',
      up: async (trx) => {
        await trx.schema.alterTable('items', (table) => {
          // The matches by plugin: JSON as in `match.ts`.
          table.text('match');
        });
      },
    },
    { id: '0002-items-to-ask', up: createRetryTable },
    { id: '0003-known-indexers', up: createIndexerTable },
    { id: '0004-items-to-look-at', up: addLooks },
    { id: '0005-matches-of-wholes', up: createWholeMatchTable },
    { id: '0006-items-to-ask-by-source', up: splitRetriesBySource },
    { id: '0007-known-hooks', up: createHookTable },
    { id: '0008-versions-of-answers', up: addAnswersVersions },
  ],
};
