import { statfs } from 'node:fs/promises';
import type { Notice } from './notification.ts';

/** What looking at the disk takes. */
export interface DiskWatchParts {
  /** The folder whose disk is looked at. */
  readonly folder: string;
  readonly tell: (notice: Notice) => void;
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

/** Looks at the room on the disk of the data folder, and tells when it runs out. */
export function createDiskWatch(parts: DiskWatchParts): () => Promise<void> {
  const { folder, tell, freeBytes = freeBytesOf } = parts;
  return async () => {
    const free = await freeBytes(folder);
    if (free >= lowBytes) return;
    const isFull = free < fullBytes;
    tell({
      level: isFull ? 'error' : 'warning',
      title: isFull
        ? 'The disk of the data folder is nearly full.'
        : 'The disk of the data folder is running low.',
      message: `${Math.round(free / mebibyte)} MiB are free. Without room the database cannot be written: make some, or move the data folder.`,
      source: 'storage',
    });
  };
}
