import type { Migration } from '../../../../../kernel/storage/index.ts';

export const chosenEntriesMigration: Migration = {
  id: '0031-chosen-entries',
  up: async (trx) => {
    await trx.schema.alterTable('kept_answers', (table) => {
      // The entry that a person chose and that the source was asked about; null = it looked for one.
      table.text('chosen');
    });
  },
};
