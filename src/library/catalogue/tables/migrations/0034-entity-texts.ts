import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Names and summaries of shows and other entities by language. */
export const entityTextsMigration: Migration = {
  id: '0034-entity-texts',
  up: async (trx) => {
    await trx.schema.alterTable('entities', (table) => {
      // `{"de": {"title": …, "overview": …}}`; null = only the stored ones.
      table.text('texts');
    });
  },
};
