/** Many ranges of many files in one turn of the disk's thread: a message costs more than a read. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openFile, openUnlinked, type Root } from './confinement.ts';
import { decodeName, parsePath } from './disk-path.ts';
import type { ReadRange } from './disk.ts';
import { createFolderResolver, type FolderResolver } from './folder-resolver.ts';
import { failedRange, lengthBytes } from './range-pack.ts';

interface OpenFile {
  readonly fd: number;
  readonly size: number;
}

/**
 * Reads the ranges, in the form that `host.fs.readRanges` answers in. Each file is opened once, and
 * one that cannot be read fails its own ranges alone. A range ends with its file.
 */
export function readRanges(
  ranges: readonly ReadRange[],
  roots: readonly Root[],
): Uint8Array<ArrayBuffer> {
  const files = new Map<string, OpenFile | null>();
  const resolve = createFolderResolver(roots);
  try {
    for (const { path } of ranges)
      if (!files.has(path)) files.set(path, tryOpen(path, roots, resolve));
    return readAll(ranges, (path) => files.get(path) ?? null);
  } finally {
    for (const file of files.values()) if (file) closeSync(file.fd);
  }
}

function tryOpen(path: string, roots: readonly Root[], resolve: FolderResolver): OpenFile | null {
  let fd: number | null = null;
  try {
    fd = openByFolder(path, roots, resolve) ?? openFile(parsePath(path), roots).fd;
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, size: stats.size };
  } catch {
    // What is wrong with one file is told by its range alone.
  }
  if (fd !== null) closeSync(fd);
  return null;
}

/** Folders are looked up once for all files in them; `null` when the file itself is a link. */
function openByFolder(
  path: string,
  roots: readonly Root[],
  resolve: FolderResolver,
): number | null {
  const slash = path.lastIndexOf('/');
  if (slash <= 0) return null;
  const name = decodeName(path.slice(slash + 1));
  return openUnlinked(resolve(path.slice(0, slash)).real, name, roots);
}

function readAll(
  ranges: readonly ReadRange[],
  find: (path: string) => OpenFile | null,
): Uint8Array<ArrayBuffer> {
  const bound = ranges.reduce((sum, range) => sum + lengthBytes + wanted(range, find), 0);
  const answer = new Uint8Array(bound);
  const view = new DataView(answer.buffer);
  let end = 0;
  for (const range of ranges) {
    const file = find(range.path);
    const length = file
      ? fill(file.fd, range.offset, answer, end + lengthBytes, wanted(range, find))
      : null;
    view.setUint32(end, length ?? failedRange);
    end += lengthBytes + (length ?? 0);
  }
  return end === bound ? answer : answer.slice(0, end);
}

function wanted({ path, offset, length }: ReadRange, find: (path: string) => OpenFile | null) {
  const file = find(path);
  return file ? Math.min(length, Math.max(0, file.size - offset)) : 0;
}

/** How many bytes were there; `null` when the disk fails. A file that shrinks meanwhile gives fewer. */
function fill(
  fd: number,
  position: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): number | null {
  let filled = 0;
  try {
    while (filled < length) {
      const count = readSync(fd, bytes, start + filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  } catch {
    return null;
  }
}
