import { mkdtemp, chmod, rm, statfs } from 'node:fs/promises';
import path from 'node:path';

const memory = '/dev/shm';
const tmpfs = 0x01021994;
/** More than all tests keep at once. */
const neededBytes = 2 * 2 ** 30;

/** A folder, and its end with all that is in it. */
export interface RunFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * A folder in memory for what the tests of a run write, where the machine has one with room: on a disk,
 * most of a test's time is a database that waits for it. `null` = there is none.
 */
export async function fastFolder(): Promise<RunFolder | null> {
  const place = await statfs(memory).catch(() => null);
  if (place?.type !== tmpfs || place.bavail * place.bsize < neededBytes) return null;
  const folder = await mkdtemp(path.join(memory, 'vitrine-run-'));
  // PostgreSQL runs as another user, who has to get through.
  await chmod(folder, 0o711);
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
