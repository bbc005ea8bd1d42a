import { statfs } from 'node:fs/promises';
import type { Notice } from './notification.ts';

/** The dependencies of the check. */
export interface DiskWatchParts {
  /** The folder whose disk is checked. */
  readonly folder: string;
  readonly notify: (notice: Notice) => void;
  /** Free bytes of the disk with that folder; the system's own by default. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

const mebibyte = 1024 ** 2;
const lowBytes = 1024 * mebibyte;
const fullBytes = 200 * mebibyte;

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Checks the free space of the data folder's disk, and notifies admins when it runs low. */
export function createDiskWatch(parts: DiskWatchParts): () => Promise<void> {
  const { folder, notify, freeBytes = freeBytesOf } = parts;
  return async () => {
    const free = await freeBytes(folder);
    if (free >= lowBytes) return;
    const isFull = free < fullBytes;
    notify({
      level: isFull ? 'error' : 'warning',
      title: isFull
        ? 'The disk of the data folder is nearly full.'
        : 'The disk of the data folder is running low.',
      message: `${Math.round(free / mebibyte)} MiB are free. Without space the database cannot be written: free some space, or move the data folder.`,
      source: 'storage',
    });
  };
}
