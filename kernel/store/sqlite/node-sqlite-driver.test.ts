import path from 'node:path';
import { expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';

/** More text than the thread of a connection may hold. */
const tooMuch = `with recursive n(i) as (select 1 union all select i + 1 from n limit 100)
  select hex(zeroblob(4000000)) || i as text from n`;

test('a thread that ends fails its statements, stores nothing of their transaction, and is replaced', async () => {
  const url = `sqlite:${path.join(temporaryFolder(), 'test.db')}`;
  const { database, kv } = await openTestStorage({ url, driver: 'node:sqlite' });
  await kv.set('p', { key: 'before', json: '1' }, 100);

  const lost = database.write(async (trx) => {
    await trx.raw("insert into kv_usage (plugin_id, used_bytes) values ('lost', 1)");
    await trx.raw(tooMuch);
  });

  await expect(lost).rejects.toMatchObject({
    code: 'storage_failed',
    message: 'The thread of the database ended; what it had not committed is not stored.',
  });
  await kv.set('p', { key: 'after', json: '2' }, 100);
  const plugins = await database.read('kv_usage').pluck('plugin_id');
  expect(plugins).toEqual(['p']);
  expect(await kv.get('p', 'before')).toBe('1');
});

testByNight('a reader whose thread ends fails, and is replaced', async () => {
  const url = `sqlite:${path.join(temporaryFolder(), 'test.db')}`;
  const { database } = await openTestStorage({ url, driver: 'node:sqlite' });

  const lost = database.read.raw(tooMuch);

  await expect(lost).rejects.toMatchObject({ code: 'storage_failed' });
  expect(await database.read.raw('select 2 as two')).toEqual([{ two: 2 }]);
});
