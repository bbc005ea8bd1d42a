/** Blobs in a folder, by the names of their keys. The folder may be a mount that several servers share. */
import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder } from '../../../kernel/index.ts';
import { errorCodeOf } from './error-code.ts';
import {
  assertKey,
  assertPrefix,
  BlobStoreFailed,
  isKey,
  type BlobRange,
  type BlobStore,
  type ListedBlob,
} from './blob-store.ts';

/** Before the last use is written again: many reads are not many writes. */
const touchEveryMs = 60 * 60_000;
/** What a writer that died left is removed then. */
const leftoverMs = 24 * 60 * 60_000;
const gone: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);
const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const refused: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

export function createFolderBlobs(folder: string): BlobStore {
  const pathOf = (key: string): string => {
    assertKey(key);
    return path.join(folder, key);
  };

  async function sizeOf(key: string): Promise<number | null> {
    const found = await orNull(stat(pathOf(key)));
    return found?.isFile() === true ? found.size : null;
  }

  async function* below(at: string): AsyncGenerator<ListedBlob> {
    const entries: readonly Dirent[] =
      (await orNull(readdir(path.join(folder, at), { withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      const key = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) yield* below(key);
      else if (entry.isFile()) {
        const found = await orNull(stat(path.join(folder, key)));
        if (found === null) continue;
        if (isKey(key)) yield { key, size: found.size, usedAt: found.mtimeMs };
        else if (entry.name.startsWith('.blob-') && Date.now() - found.mtimeMs > leftoverMs)
          await rm(path.join(folder, key), { force: true });
      }
    }
  }

  return {
    has: async (key) => (await sizeOf(key)) !== null,
    size: sizeOf,
    read: async (key, range) => {
      const name = pathOf(key);
      // No link is followed: only this store writes here.
      const file = await orNull(open(name, constants.O_RDONLY | constants.O_NOFOLLOW));
      if (file === null) return null;
      const found = await file.stat();
      if (!found.isFile()) {
        await file.close();
        return null;
      }
      const now = new Date();
      if (now.getTime() - found.mtimeMs > touchEveryMs)
        await utimes(name, now, now).catch(() => undefined);
      const { start, end } = within(range, found.size);
      if (end < start) {
        await file.close();
        return { size: 0, body: Readable.from([]) };
      }
      return { size: end - start + 1, body: file.createReadStream({ start, end }) };
    },
    write: async (key, bytes) => {
      const name = pathOf(key);
      const aside = path.join(path.dirname(name), `.blob-${randomUUID()}`);
      try {
        await makeFolder(path.dirname(name));
        const file = await open(aside, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          // A name never stands for a file that a crash of the machine cut.
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(aside, name);
      } catch (error) {
        await rm(aside, { force: true }).catch(() => undefined);
        throw failure(error);
      }
    },
    remove: async (key) => {
      await rm(pathOf(key), { force: true }).catch((error: unknown) => {
        throw failure(error);
      });
    },
    list: (prefix) => {
      assertPrefix(prefix);
      return below(prefix.replace(/\/$/, ''));
    },
  };
}

/** The part that there is. */
export const within = (range: BlobRange | undefined, size: number): BlobRange => ({
  start: Math.min(range?.start ?? 0, size),
  end: Math.min(range?.end ?? size - 1, size - 1),
});

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (gone.has(errorCodeOf(error)) || errorCodeOf(error) === 'ELOOP') return null;
    throw failure(error);
  }
}

function failure(error: unknown): BlobStoreFailed {
  const code = errorCodeOf(error);
  if (full.has(code)) return new BlobStoreFailed('full', 'The folder of the blobs is full.', error);
  if (refused.has(code))
    return new BlobStoreFailed(
      'refused',
      `The folder of the blobs refuses the server (${code}).`,
      error,
    );
  return new BlobStoreFailed(
    'away',
    `The folder of the blobs cannot be used (${code ?? 'unknown'}).`,
    error,
  );
}
