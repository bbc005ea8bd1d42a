/**
 * Indexes for lists that are limited by rating. A walk along the titles skips hidden items without
 * reading them, since the certification is in the index. Where few items are visible, they are read
 * from an index of rated items, which also counts the items of each certification.
 */
import type { Migration } from '../../../../../kernel/storage/index.ts';

export const ratedItemsMigration: Migration = {
  id: '0020-rated-items',
  up: async (trx) => {
    for (const [name, column] of [
      ['items_by_title', 'sort_title'],
      ['items_by_age', 'added_at'],
      ['items_by_year', 'year'],
    ]) {
      await trx.raw(`drop index ${name}`);
      await trx.raw(
        `create index ${name} on items (library_no, ${column}, no, certification)
         where status = 'active'`,
      );
    }
    await trx.raw(
      `create index items_by_rating on items (library_no, certification, sort_title, added_at, year, no)
       where status = 'active' and certification is not null`,
    );
  },
};
