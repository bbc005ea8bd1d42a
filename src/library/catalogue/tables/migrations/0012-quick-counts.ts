import type { Migration } from '../../../../../kernel/storage/index.ts';

/** Indexes for counting the items of an entity without reading the items. */
export const quickCountsMigration: Migration = {
  id: '0012-quick-counts',
  up: async (trx) => {
    await trx.schema.alterTable('item_entities', (table) => {
      table.dropIndex(['entity_no']);
      table.index(['entity_no', 'item_no']);
    });
    await trx.raw(`create index items_absent on items (no) where status <> 'active'`);
  },
};
