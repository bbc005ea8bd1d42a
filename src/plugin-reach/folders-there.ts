/** Whether folders that an admin picks are there: a name that is mistyped would grant nothing, and look right. */
import { KernelError, type Reach } from '../../kernel/index.ts';
import { isBelow } from '../filesystems/index.ts';
import type { PlacedLibrary } from './within.ts';

/** Looks at a folder; a filesystem that gives no answer makes it reject. */
export type LookAtFolder = (
  uri: string,
) => Promise<{ readonly ok: boolean; readonly message?: string }>;

/**
 * Rejects with `invalid_argument` for a folder that cannot be listed, though the root can that it is
 * below. Of a root that is away, as a disk that is not mounted, nobody can tell what is in it: there a
 * folder is taken as it is named.
 */
export async function assertFolders(
  reach: Reach,
  libraries: readonly PlacedLibrary[],
  lookAt: LookAtFolder,
): Promise<void> {
  if (reach === 'all') return;
  for (const [index, { id, folders = [] }] of reach.entries()) {
    const { name = id, roots = [] } = libraries.find((one) => one.id === id) ?? {};
    const faults = await Promise.all(folders.map((folder) => faultOf(folder, roots, lookAt)));
    const [fault] = faults.filter((one) => one !== null);
    if (fault === undefined) continue;
    const what = `libraries[${index}].folders: ${fault.folder} is no folder of ${name} that could be granted.`;
    throw new KernelError('invalid_argument', `${what} ${fault.why}`.trim());
  }
}

async function faultOf(
  folder: string,
  roots: readonly string[],
  lookAt: LookAtFolder,
): Promise<{ readonly folder: string; readonly why: string } | null> {
  const seen = await sight(folder, lookAt);
  if (seen.ok) return null;
  const root = roots.find((one) => isBelow(folder, one));
  if (root === undefined || !(await sight(root, lookAt)).ok) return null;
  return { folder, why: seen.message ?? '' };
}

const sight: (uri: string, lookAt: LookAtFolder) => ReturnType<LookAtFolder> = (uri, lookAt) =>
  lookAt(uri).catch(() => ({ ok: false }));
