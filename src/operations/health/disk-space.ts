import { statfs } from 'node:fs/promises';
import type { FoundProblem } from '../../platform/problems/index.ts';
import { say } from '../../platform/text.ts';

const mebibyte = 1024 ** 2;
const lowBytes = 1024 * mebibyte;
const fullBytes = 200 * mebibyte;

/** The free bytes of the disk with this folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The problem of a disk of the data folder with so many free bytes. */
export function spaceProblems(freeBytes: number): readonly FoundProblem[] {
  if (freeBytes >= lowBytes) return [];
  const isFull = freeBytes < fullBytes;
  const free = Math.round(freeBytes / mebibyte);
  return [
    {
      code: 'disk_nearly_full',
      severity: isFull ? 'error' : 'warning',
      subject: { type: 'folder', id: 'data folder' },
      message: isFull ? say('disk.diskDataFolderNearlyFull') : say('disk.diskDataFolderRunningLow'),
      detail: say('disk.mibFreeWithoutSpaceDatabase', { free }),
      action: say('disk.freeSomeSpaceMoveData'),
    },
  ];
}
