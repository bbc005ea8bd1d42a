import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { keepsTheContract, listed } from '../../../test/support/storage/blob-contract.ts';
import { createBlobCache } from './blob-cache.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { watchedBlobs } from './watched-blobs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-blobs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('blobs in a folder', () => {
  keepsTheContract(() => createFolderBlobs(folder));

  test('leave alone what others keep there, and follow no link', async () => {
    const store = createFolderBlobs(folder);
    await mkdir(path.join(folder, 'mixed'), { recursive: true });
    await writeFile(path.join(folder, 'mixed/.of somebody else'), 'x');
    await writeFile(path.join(folder, 'mixed/0 with a blank'), 'x');
    await symlink('/etc/hostname', path.join(folder, 'mixed/link'));
    await store.write('mixed/a', Buffer.from('x'));

    expect(await listed(store, 'mixed/')).toMatchObject([{ key: 'mixed/a' }]);
    expect(await store.read('mixed/link')).toBeNull();
    expect((await readdir(path.join(folder, 'mixed'))).toSorted()).toEqual([
      '.of somebody else',
      '0 with a blank',
      'a',
      'link',
    ]);
  });

  test('that cannot be reached say why, and a cache over them goes on without', async () => {
    const file = path.join(folder, 'a-file');
    await writeFile(file, 'x');
    const { store, look } = watchedBlobs(createFolderBlobs(file));
    const cache = createBlobCache({ store, kind: 'x', clock: createFakeClock(), log: silentLog });
    const answer = { status: 200, headers: {}, storedAt: 1, body: Buffer.from('a') };

    await cache.write('a', answer);

    expect([await cache.read('a'), await cache.size()]).toEqual([null, 0]);
    expect(await look()).toMatchObject({ reason: 'away' });
    await rm(file);
    expect(await look()).toBeNull();
    await cache.write('a', answer);
    expect(await cache.read('a')).toMatchObject({ status: 200, storedAt: 1 });
  });

  test('that is cut by somebody is not there', async () => {
    const store = createFolderBlobs(folder);
    const cache = createBlobCache({ store, kind: 'cut', clock: createFakeClock(), log: silentLog });
    await cache.write('a', { status: 200, headers: {}, storedAt: 1, body: Buffer.from('whole') });
    const [name = ''] = await readdir(path.join(folder, 'cut'));
    for (const bytes of ['', '\xff\xff\xff\xff', '\0\0\0\x02{}']) {
      await chmod(path.join(folder, 'cut', name), 0o600);
      await writeFile(path.join(folder, 'cut', name), bytes, 'latin1');

      expect(await cache.read('a')).toBeNull();
    }
  });
});
