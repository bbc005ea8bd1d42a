/**
 * The code of marketplace plugins on the disk: one folder for each package, named by the SHA-256 of
 * its archive. It is made under a temporary name and renamed when it is complete and synced. So a
 * folder with a final name is always complete, and it never changes.
 */
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import type { OpenedArchive } from '../packages/index.ts';
import { codeOf } from '../packages/package-folder.ts';

/** Operations on the disk; a test passes one that fails. */
export interface PackageDisk {
  readonly makeFolder: (folder: string) => Promise<void>;
  /** Makes a new file and syncs it to the disk. */
  readonly writeFile: (file: string, content: Uint8Array) => Promise<void>;
  /** Syncs the names in a folder to the disk. */
  readonly syncFolder: (folder: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (folder: string) => Promise<void>;
  /** Empty for a missing folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
}

export type PackageFolders = ReturnType<typeof createPackageFolders>;

/** The disk of the machine. */
export const realDisk: PackageDisk = {
  makeFolder: async (folder) => {
    await makeFolder(folder);
  },
  writeFile: async (file, content) => {
    // `wx`: a link that was planted there is not followed.
    const handle = await open(file, 'wx', 0o644);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  syncFolder: async (folder) => {
    // Windows cannot open folders and does not need this.
    if (process.platform === 'win32') return;
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  remove: (folder) => rm(folder, { recursive: true, force: true }),
  namesIn: async (folder) => {
    try {
      return await readdir(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  },
};

const stagingName = /^\.staging-/;
const ownName = /^[0-9a-f]{64}$/;

/** Creates the folders under a root, which is made when needed. */
export function createPackageFolders(parts: {
  readonly root: string;
  readonly disk: PackageDisk;
  readonly newId: () => string;
}) {
  const { root, disk, newId } = parts;
  const folderOf = (sha256: string): string => path.join(root, sha256);

  async function unpack(archive: OpenedArchive, to: string): Promise<void> {
    const folders = new Set([to]);
    await disk.makeFolder(to);
    for (const [name, content] of archive.files) {
      const file = path.join(to, ...name.split('/'));
      const folder = path.dirname(file);
      if (!folders.has(folder)) await disk.makeFolder(folder);
      folders.add(folder);
      await disk.writeFile(file, content);
    }
    for (const folder of folders) await disk.syncFolder(folder);
  }

  return {
    /** Their parent folder. */
    root,
    folderOf,
    /** Unpacks a checked archive. A folder of that name is replaced. */
    place: async (archive: OpenedArchive): Promise<string> => {
      const staging = path.join(root, `.staging-${newId()}`);
      const folder = folderOf(archive.sha256);
      try {
        await unpack(archive, staging);
        await disk.remove(folder);
        await disk.rename(staging, folder);
        await disk.syncFolder(root);
        return folder;
      } catch (error) {
        // What cannot be removed now is removed at the next start.
        await disk.remove(staging).catch(() => undefined);
        throw error;
      }
    },
    /** Removes all other folders, and what a crash left incomplete. */
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      const names = await disk.namesIn(root);
      const stale = names.filter(
        (name) => stagingName.test(name) || (ownName.test(name) && !keep.has(name)),
      );
      for (const name of stale) await disk.remove(path.join(root, name));
    },
  };
}
