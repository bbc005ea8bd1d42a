import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mount, unmount } from '../test/support/faults/disk-faults.ts';
import { makeFolder } from './make-folder.ts';

test('a folder on a disk that may only be read is refused with that fault', async (context) => {
  const disk = await mkdtemp(path.join(tmpdir(), 'vitrine-disk-'));
  const isMounted = mount('-t', 'tmpfs', '-o', 'ro', 'none', disk);
  onTestFinished(async () => {
    if (isMounted) unmount(disk);
    await rmdir(disk);
  });
  context.skip(!isMounted, 'this user may not mount');

  await expect(makeFolder(path.join(disk, 'a'))).rejects.toMatchObject({ code: 'EROFS' });
  await expect(makeFolder(path.join(disk, 'a', 'b'))).rejects.toMatchObject({ code: 'EROFS' });
});
