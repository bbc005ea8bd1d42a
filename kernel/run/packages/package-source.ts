/** The files of a plugin's folder that go into its package. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageFault } from './package-folder.ts';
import { signatureFile } from './package-signature.ts';
import type { PackageFiles } from './tar.ts';

/** The files, or why they are not a package, as the end of a sentence that names the folder. */
export type FolderReading =
  | { readonly ok: true; readonly files: PackageFiles }
  | { readonly ok: false; readonly fault: string };

/** Files of an author that do not belong in a package. */
const leftOut = /(^|\/)(\.[^/]*|node_modules)(\/|$)|\.vplugin$|\.test\.[a-z]+$/;

/**
 * Reads all files of a folder except names that begin with a dot, `node_modules`, tests and packages.
 */
export async function readSource(folder: string): Promise<FolderReading> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Uint8Array>();
  for (const entry of names) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (leftOut.test(name) || name === signatureFile || entry.isDirectory()) continue;
    if (!entry.isFile()) return { ok: false, fault: `has ${name}, which is not a plain file` };
    files.set(name, await readFile(file));
  }
  return { ok: true, files };
}

/** The files of an unpacked package with its signature; `null` = they cannot be read. */
export async function readUnpacked(folder: string): Promise<PackageFiles | null> {
  if ((await packageFault(folder)) !== null) return null;
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file).split(path.sep).join('/'), await readFile(file));
  }
  return files;
}
