import { dialectOf, type Migration } from '../../../../../kernel/storage/index.ts';

/**
 * PostgreSQL counts the letters of entities in the index alone only if the index has the column
 * beside its first letter; else it reads every row of the table. SQLite needs the letter alone.
 */
export const coveredLettersMigration: Migration = {
  id: '0037-covered-letters',
  up: async (trx) => {
    const isSqlite = dialectOf(trx) === 'sqlite';
    // What is too long for an index together with a name: the items of these entities are read.
    const bytes = isSqlite ? 'length(cast(shown_by as blob))' : 'octet_length(shown_by)';
    await trx.raw(`update entities set shown_by = null where ${bytes} > 500`);
    if (isSqlite) return;
    await trx.raw('drop index entities_by_letter');
    await trx.raw(
      `create index entities_by_letter on entities
       (type, shown_by, (substr(sort_name, 1, 1)), hidden, status, no) include (sort_name)`,
    );
  },
};
