import { expect, test } from 'vitest';
import { describeEachDriver, openTestStorage } from '../../../../test/support/storage/storage.ts';
import { libraryMigrations } from '../tables/schema.ts';
import { measureTables } from './measure-tables.ts';

describeEachDriver('the tables of the catalogue over %s', (driver) => {
  test('are measured by PostgreSQL after many changes, and not after few', async () => {
    const { database } = await openTestStorage({ driver, migrations: [libraryMigrations] });
    const measured = async (): Promise<unknown> => {
      if (driver !== 'pg') return null;
      const [row] = await database.read.raw<readonly { readonly rows: unknown }[]>(
        `select count(*)::int as rows from pg_class
         where relname in ('items', 'entities', 'entity_counts') and reltuples >= 0`,
      );
      return row?.rows;
    };

    await measureTables(database, 999);
    expect(await measured()).toBe(driver === 'pg' ? 0 : null);
    await measureTables(database, 1000);
    expect(await measured()).toBe(driver === 'pg' ? 3 : null);
  });
});
