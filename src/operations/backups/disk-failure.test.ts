import { expect, test } from 'vitest';
import { KernelError } from '../../../kernel/index.ts';
import { BackupError } from './backup-error.ts';
import { onDisk, TooLittleRoom } from './disk-failure.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: mkdir`), { code });
const place = 'backup folder /srv/backups';

const cases: readonly (readonly [string, Error, Error])[] = [
  [
    'a full disk',
    failure('ENOSPC'),
    new KernelError(
      'storage_full',
      `The disk of the ${place} is full, and nothing was stored. Make room on it.`,
    ),
  ],
  [
    'a full disk that SQLite met',
    new KernelError('storage_full', 'The disk of the database is full.', { cause: 1 }),
    new KernelError(
      'storage_full',
      `The disk of the ${place} is full, and nothing was stored. Make room on it.`,
    ),
  ],
  [
    'a read-only disk',
    failure('EROFS'),
    new KernelError(
      'storage_read_only',
      `The disk of the ${place} is read-only. Mount it for writing.`,
    ),
  ],
  [
    'a folder of another user',
    failure('EACCES'),
    new BackupError(
      `The ${place} cannot be used by the user of this process (EACCES). Make that user its owner.`,
    ),
  ],
  [
    'a disk that fails',
    failure('EIO'),
    new KernelError(
      'storage_failed',
      `The disk of the ${place} failed (EIO). The log of the system (dmesg) says more.`,
    ),
  ],
  [
    'a file in the place of the folder',
    failure('ENOTDIR'),
    new BackupError(
      `The ${place} is not a folder, or lies in a file (ENOTDIR). Move that file away.`,
    ),
  ],
  ['too little room', new TooLittleRoom('It needs 5 MiB.'), new TooLittleRoom('It needs 5 MiB.')],
  ['any other error', failure('EMFILE'), failure('EMFILE')],
];

test.each(cases)('%s is told with its code and the folder', async (...row) => {
  const [, error, told] = row;
  const failed = onDisk(place, () => Promise.reject(error));

  await expect(failed).rejects.toMatchObject({
    message: told.message,
    ...('code' in told && { code: told.code }),
  });
  await expect(failed).rejects.toBeInstanceOf(told.constructor);
});
