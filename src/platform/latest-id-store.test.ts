import { expect, test } from 'vitest';
import { openTestStorage } from '../../test/support/storage/storage.ts';
import { migrations } from '../compose/migrations.ts';
import { readLatestIdTime } from './latest-id-store.ts';
import { createUuidV7 } from './uuid-v7.ts';

test('the latest stored id gives the time after which new ids begin', async () => {
  const { database } = await openTestStorage({ migrations });
  const before = await readLatestIdTime(database);
  const insert = (ms: number, title: string) =>
    database.write((trx) =>
      trx('notifications').insert({
        ...{ id: createUuidV7({ now: () => ms })(), level: 'info', title },
        ...{ message: '', source: 'server', created_at: '' },
      }),
    );

  await insert(1_800_000_000_000, 'later');
  await insert(1_500_000_000_000, 'with a clock in the past');

  expect([before, await readLatestIdTime(database)]).toEqual([0, 1_800_000_000_000]);
});
