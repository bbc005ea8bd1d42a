import { closeSync, fstatSync, readSync } from 'node:fs';
import { openFile, openUnlinked, type Roots } from './confinement.ts';
import { decodeName, parsePath } from './disk-path.ts';
import { createFolderResolver, type FolderResolver } from './folder-resolver.ts';

export interface OpenRegularFile {
  readonly fd: number;
  readonly size: number;
}

/** The files of one call: each is opened once, and is `null` if that fails. */
export type OpenFiles = ReturnType<typeof createOpenFiles>;

/** Opens files below the roots; folders are resolved once for all files in them. */
export function createOpenFiles(roots: Roots) {
  const files = new Map<string, OpenRegularFile | null>();
  const resolve = createFolderResolver(roots);

  function find(path: string): OpenRegularFile | null {
    const known = files.get(path);
    if (known !== undefined) return known;
    const opened = tryOpen(path, roots, resolve);
    files.set(path, opened);
    return opened;
  }

  return {
    find,
    close: (): void => {
      for (const file of files.values()) if (file) closeSync(file.fd);
      files.clear();
    },
  };
}

function tryOpen(path: string, roots: Roots, resolve: FolderResolver): OpenRegularFile | null {
  let fd: number | null = null;
  try {
    fd = openByFolder(path, roots, resolve) ?? openFile(parsePath(path), roots).fd;
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, size: stats.size };
  } catch {
    // The failure of one file is reported at its place only.
  }
  if (fd !== null) closeSync(fd);
  return null;
}

/** `null` when the file itself is a link, which must be resolved as a whole. */
function openByFolder(path: string, roots: Roots, resolve: FolderResolver): number | null {
  const slash = path.lastIndexOf('/');
  if (slash <= 0) return null;
  const name = decodeName(path.slice(slash + 1));
  return openUnlinked(resolve(path.slice(0, slash)), name, roots);
}

/** The number of bytes read; fewer for a file that shrinks meanwhile. */
export function fill(fd: number, position: number, bytes: Uint8Array): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
