import { expect, test } from 'vitest';
import { describeEachDriver, openTestStorage } from '../../../../test/support/storage/storage.ts';
import { libraryMigrations } from '../tables/schema.ts';
import { measureTables } from './measure-tables.ts';

describeEachDriver('the tables of the catalogue over %s', (driver) => {
  test.each([
    [true, 'a scan has reached a thousand files', [{ before: 999, after: 1200 }]],
    [true, 'it has found four times as many', [{ before: 3900, after: 4100 }]],
    [true, 'it ends', [{ before: 1000, after: 'end' }]],
    [
      false,
      'there are few new files',
      [
        { before: 0, after: 999 },
        { before: 1200, after: 3900 },
        { before: 999, after: 'end' },
      ],
    ],
  ] as const)('are measured by PostgreSQL: %s, when %s', async (isMeasured, _when, steps) => {
    const { database } = await openTestStorage({ driver, migrations: [libraryMigrations] });

    for (const step of steps) await measureTables(database, step);

    if (driver !== 'pg') return;
    const rows = await database.read.raw<readonly object[]>(
      `select distinct (reltuples >= 0)::int as measured from pg_class
       where relname in ('items', 'entities', 'touched_entities')`,
    );
    expect(rows).toEqual([{ measured: isMeasured ? 1 : 0 }]);
  });
});
