/**
 * What a list that is limited by rating reads by. Walking along the titles it passes over what does
 * not show without reading it, since the certification stands in the index; and where hardly anything
 * shows, it gathers just that from an index of those that have a certification, by which the items of
 * one are counted, too.
 */
import type { Migration } from '../../../kernel/index.ts';

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
