/**
 * One thing at a time with one plugin. Code that nothing points to any more is removed while nothing is
 * being put in place, and whoever comes meanwhile waits for that: else what was just unpacked could go.
 */
import { KernelError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PackageFolders } from './package-folders.ts';
import type { PackageList } from './package-list.ts';

/** The turns of all plugins. */
export interface InstallQueue {
  /** Does the work alone with that plugin. Throws `conflict` while something is under way with it. */
  readonly exclusive: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  readonly assertFree: (id: string) => void;
  /** Ends when what is under way with that plugin has, however that went. */
  readonly idle: (id: string) => Promise<void>;
  /** Removes the code that nothing points to; ends when it is gone. */
  readonly sweep: () => Promise<void>;
  readonly isClosed: () => boolean;
  /** Begins nothing new from now on. */
  readonly close: () => void;
  /** Ends when everything that is under way has. */
  readonly ended: () => Promise<void>;
}

/** Creates them; nothing is under way. */
export function createInstallQueue({
  folders,
  packages,
  log,
}: {
  readonly folders: PackageFolders;
  readonly packages: PackageList;
  readonly log: Log;
}): InstallQueue {
  const underWay = new Map<string, Promise<unknown>>();
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;

  function assertFree(id: string): void {
    if (!underWay.has(id)) return;
    throw new KernelError('conflict', `Plugin ${id} is being installed or removed; wait for that.`);
  }

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

  /** As soon as nothing is being put in place. */
  function tidy(): void {
    if (underWay.size > 0) return;
    const keep = packages
      .all()
      .flatMap(({ sha256, previous }) => (previous ? [sha256, previous.sha256] : [sha256]));
    sweeping = folders.sweep(new Set(keep)).catch((error: unknown) => {
      log.warn({ err: error }, 'Packages that are not needed any more could not be removed.');
    });
  }

  return {
    exclusive,
    assertFree,
    idle: async (id) => {
      await underWay.get(id)?.catch(() => undefined);
    },
    sweep: async () => {
      tidy();
      await sweeping;
    },
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
    },
    ended: async () => {
      await Promise.allSettled([...underWay.values(), sweeping]);
    },
  };
}
