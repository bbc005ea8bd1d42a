/** Lists of a bucket that come in pages; by night a real S3 server keeps the whole contract. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3Server, type S3Server } from '../../../test/support/servers/s3-server.ts';
import { listed } from '../../../test/support/storage/blob-contract.ts';
import { systemClock } from '../clock.ts';
import { createS3Blobs } from './s3-blobs.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a/secret+0123456789', region: 'eu-1' };
let storage: S3Server;
beforeAll(async () => {
  storage = await startS3Server(keys, { pageSize: 7 });
});
afterAll(() => storage.close());

test('a list of many blobs comes in pages, and has nothing that is not a blob', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `many/${n}`);
  for (const name of [...names, 'many/.hidden', 'many/a b', 'many/a&b', 'others/1'])
    storage.put('media', `vitrine/${name}`, 'x');
  const store = createS3Blobs({
    ...{ bucket: 'media', prefix: 'vitrine', endpoint: storage.url, region: keys.region },
    ...{ keys, clock: systemClock },
  });

  const found = await listed(store, 'many/');

  expect(found.map(({ key }) => key).toSorted()).toEqual(names.toSorted());
  expect([storage.requests.length > 3, storage.refused()]).toEqual([true, 0]);
});
