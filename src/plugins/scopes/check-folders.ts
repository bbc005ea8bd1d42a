/** Checks that the folders of a grant exist: a mistyped name would grant nothing, and look right. */
import { KernelError, type Reach } from '../../../kernel/index.ts';
import { isBelow } from '../../files/filesystems/index.ts';
import type { PlacedLibrary } from './scope-check.ts';

/** Checks a folder; rejects when its filesystem does not answer. */
export type CheckFolder = (
  uri: string,
) => Promise<{ readonly ok: boolean; readonly message?: string }>;

/**
 * Rejects with `invalid_argument` for a folder that cannot be listed while its root can. Below a root
 * that is not available, such as a disk that is not mounted, folders cannot be checked and are accepted.
 */
export async function assertFolders(
  reach: Reach,
  libraries: readonly PlacedLibrary[],
  inspect: CheckFolder,
): Promise<void> {
  if (reach === 'all') return;
  for (const [index, { id, folders = [] }] of reach.entries()) {
    const { name = id, roots = [] } = libraries.find((one) => one.id === id) ?? {};
    const faults = await Promise.all(folders.map((folder) => faultOf(folder, roots, inspect)));
    const [fault] = faults.filter((one) => one !== null);
    if (fault === undefined) continue;
    const what = `libraries[${index}].folders: ${fault.folder} is not a folder of ${name} that can be granted.`;
    throw new KernelError('invalid_argument', `${what} ${fault.why}`.trim());
  }
}

async function faultOf(
  folder: string,
  roots: readonly string[],
  inspect: CheckFolder,
): Promise<{ readonly folder: string; readonly why: string } | null> {
  const checked = await checkFolder(folder, inspect);
  if (checked.ok) return null;
  const root = roots.find((one) => isBelow(folder, one));
  if (root === undefined || !(await checkFolder(root, inspect)).ok) return null;
  return { folder, why: checked.message ?? '' };
}

const checkFolder: (uri: string, inspect: CheckFolder) => ReturnType<CheckFolder> = (
  uri,
  inspect,
) => inspect(uri).catch(() => ({ ok: false }));
