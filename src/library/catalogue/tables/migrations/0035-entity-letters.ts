import type { Migration } from '../../../../../kernel/storage/index.ts';

/**
 * Who sees an entity stands in its row, so that the letters of a list are counted in one index. The
 * upkeep writes it, and reads each entity for the first time since all are queued here.
 */
export const entityLettersMigration: Migration = {
  id: '0035-entity-letters',
  up: async (trx) => {
    await trx.schema.alterTable('entities', (table) => {
      // Libraries and certifications of its active items: `[[3, "PG"]]`; null = not known.
      table.text('shown_by');
    });
    await trx.raw(
      `create index entities_by_letter on entities
       (type, shown_by, (substr(sort_name, 1, 1)), hidden, status, no)`,
    );
    await trx.raw(
      `insert into touched_entities (entity_no, library_no)
       select distinct item_entities.entity_no, items.library_no from item_entities
       join items on items.no = item_entities.item_no where true on conflict do nothing`,
    );
  },
};
