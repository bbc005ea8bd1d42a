/**
 * Reads a plugin's package from a folder with untrusted content. Limits are checked before content. A
 * link is refused wherever it points, since it would let a package read files outside it.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';

const maxPackageBytes = 50 * 1024 * 1024;
const maxPackageFiles = 1000;
const maxPackageDepth = 16;

/** The text of a file, or why there is none. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string };

/** Why the folder is not a package, as the end of a sentence that names it; `null` = no fault found. */
export async function packageFault(folder: string): Promise<string | null> {
  const top = await lstat(folder);
  if (top.isSymbolicLink()) return 'is a link; copy the plugin itself there';
  if (!top.isDirectory()) return 'is not a folder; a plugin is a folder with a manifest.json';
  let files = 0;
  let bytes = 0;
  const waiting = [{ at: folder, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, depth } = next;
    if (depth > maxPackageDepth) return `is more than ${maxPackageDepth} folders deep`;
    for (const name of await readdir(at)) {
      const entry = path.join(at, name);
      const shown = path.relative(folder, entry);
      const stats = await lstat(entry);
      if (stats.isSymbolicLink()) return `has a link, ${shown}; a package holds none`;
      files += 1;
      if (files > maxPackageFiles) return `has more than ${maxPackageFiles} files`;
      if (stats.isDirectory()) {
        waiting.push({ at: entry, depth: depth + 1 });
        continue;
      }
      if (!stats.isFile()) return `has ${shown}, which is neither a file nor a folder`;
      bytes += stats.size;
      if (bytes > maxPackageBytes) return `is larger than ${maxPackageBytes} bytes`;
    }
  }
  return null;
}

/** Bytes of all files below a folder; files that disappear meanwhile count 0. */
export async function packageBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      lstat(path.join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Reads a file of the package whole, without following a link or waiting for a pipe. */
export async function readPackageFile(file: string, maxBytes: number): Promise<FileText> {
  // Windows has neither flag; there, packageFault has already refused links.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const opened = await open(file, flags).catch((error: unknown) => error);
  if (!isFileHandle(opened)) {
    return codeOf(opened) === 'ENOENT' || codeOf(opened) === 'ENOTDIR'
      ? { kind: 'missing' }
      : { kind: 'refused', why: `cannot be read (${codeOf(opened)})` };
  }
  try {
    const stats = await opened.stat();
    if (!stats.isFile()) return { kind: 'refused', why: 'is not a file' };
    if (stats.size > maxBytes) return { kind: 'refused', why: `is larger than ${maxBytes} bytes` };
    const bytes = await opened.readFile();
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return { kind: 'refused', why: error instanceof TypeError ? 'is not UTF-8' : codeOf(error) };
  } finally {
    await opened.close();
  }
}

function isFileHandle(value: unknown): value is Awaited<ReturnType<typeof open>> {
  return typeof value === 'object' && value !== null && 'readFile' in value;
}

/** The system's error code, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown error';
}
