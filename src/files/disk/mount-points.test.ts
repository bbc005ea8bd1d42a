import { expect, test } from 'vitest';
import { mountPointsIn } from './mount-points.ts';

const table = Buffer.from(
  [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
    '40 22 8:17 / /media/films rw,relatime - ext4 /dev/sdb1 rw',
    '41 22 0:45 / /media/films/on\\040the\\040network rw - nfs4 nas:/export rw',
    '42 22 8:33 / /media/films/L\u00e9on rw - ext4 /dev/sdc1 rw',
    '43 22 8:33 / /media/filmsandmore rw - ext4 /dev/sdc1 rw',
    '44 22 8:34 / /media/films/L\u00e9on rw - ext4 /dev/sdd1 rw',
    'nonsense',
    '',
  ].join('\n'),
);

test('mount points below a folder are matched by whole names, each once, in the disk’s spelling', () => {
  const leon = Buffer.from('/media/films/L\u00e9on').toString('latin1');

  expect(mountPointsIn(table, '/media/films')).toEqual([leon, '/media/films/on the network']);
  expect(mountPointsIn(table, '/media/films/on the network')).toEqual([]);
  expect(mountPointsIn(Buffer.alloc(0), '/')).toEqual([]);
});
