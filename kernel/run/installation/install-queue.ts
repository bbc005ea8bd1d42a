/**
 * One operation at a time for each plugin. Unused code is removed only while no package is being
 * placed, and new operations wait for the removal. Otherwise the removal could delete what was just
 * unpacked.
 */
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { PackageBytes } from '../packages/package-bytes.ts';
import type { PackageFolders } from './package-folders.ts';
import type { PackageList } from './package-list.ts';

/** Serialises operations on plugins. */
export type InstallQueue = ReturnType<typeof createInstallQueue>;

/** Creates the queue with no operation. */
export function createInstallQueue({
  folders,
  packages,
  bytes,
  log,
}: {
  readonly folders: PackageFolders;
  readonly packages: PackageList;
  /** Where all servers find packages. */
  readonly bytes: PackageBytes | null;
  readonly log: Log;
}) {
  const underWay = new Map<string, Promise<unknown>>();
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;

  function assertFree(id: string): void {
    if (!underWay.has(id)) return;
    throw new KernelError('conflict', `Plugin ${id} is being installed or removed; wait for that.`);
  }

  /** Runs `work` alone for that plugin. Throws `conflict` while another operation on it runs. */
  async function exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    assertFree(id);
    if (isClosed) throw new KernelError('conflict', 'The server is stopping.');
    const turn = sweeping.then(work);
    underWay.set(id, turn);
    try {
      return await turn;
    } finally {
      underWay.delete(id);
      tidy();
    }
  }

  /** Starts a removal when no operation runs. */
  function tidy(): void {
    if (underWay.size > 0) return;
    const keep = packages
      .all()
      .flatMap(({ sha256, earlier }) => [
        sha256,
        ...earlier.filter(({ kept }) => kept !== null).map((one) => one.sha256),
      ]);
    sweeping = swept(new Set(keep)).catch((error: unknown) => {
      log.warn({ err: error }, 'Unused packages could not be removed.');
    });
  }

  async function swept(keep: ReadonlySet<string>): Promise<void> {
    await folders.sweep(keep);
    await bytes?.sweep(keep);
  }

  return {
    exclusive,
    assertFree,
    /** Resolves when the current operation on that plugin has ended, well or not. */
    idle: async (id: string): Promise<void> => {
      await underWay.get(id)?.catch(() => undefined);
    },
    /** Removes unused code; resolves when it is gone. */
    sweep: async (): Promise<void> => {
      tidy();
      await sweeping;
    },
    isClosed: (): boolean => isClosed,
    /** Starts nothing new from now on. */
    close: (): void => {
      isClosed = true;
    },
    /** Resolves when all current operations have ended. */
    ended: async (): Promise<void> => {
      await Promise.allSettled([...underWay.values(), sweeping]);
    },
  };
}
