/**
 * Watches the folders of libraries: changes on a disk are in the library within seconds. A root
 * that cannot be watched - the system has no watches left, it is on the network, its plugin cannot
 * - is scanned at intervals instead, and admins are notified. A root that only reports changes of
 * this machine is watched and scanned at intervals.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import { KernelError, type Log } from '../../../kernel/index.ts';
import { serverViewer } from '../../people/viewer/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { FoundProblem } from '../../platform/problems/index.ts';
import { joinTexts, type Text, say } from '../../platform/text.ts';
import { AppError } from '../../platform/errors.ts';
import type { Filesystems } from '../../files/filesystems/index.ts';
import type { Jobs } from '../../work/jobs/index.ts';
import type { Libraries } from '../catalogue/index.ts';
import { toScanFolders, type ScanFolders } from './change-places.ts';
import {
  createChangeCollector,
  type CollectedChanges,
  type ScanStart,
} from './collected-changes.ts';
import { followRoot, type WatchFailure } from './root-watch.ts';
import type { Library } from '../../contract/resources/library/libraries.ts';

export interface WatchingParts {
  readonly libraries: Pick<Libraries, 'list' | 'nameOf'>;
  readonly filesystems: Pick<Filesystems, 'watch' | 'unwatch' | 'stat' | 'list'>;
  /**
   * Whether the plugin that serves a URI can watch (`supportsWatch`); `undefined` = there is none.
   */
  readonly canWatch: (uri: string) => boolean | undefined;
  readonly jobs: Pick<Jobs, 'enqueue' | 'list'>;
  /** The interval of scans for libraries that are not watched; 0 = none. */
  readonly rescanMs: number;
  /** Gets all libraries that are not watched, whenever that changes. */
  readonly report: (found: readonly FoundProblem[]) => void;
  /** A root of the library cannot be reached, or can be again. */
  readonly onReach: (libraryId: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  /** Its roots, and where links in them may lead. */
  readonly folders: string;
  readonly lookAgain: () => void;
  /** Any file may have changed. */
  readonly noteWhole: () => void;
  readonly stop: Undo;
  /** Its roots of which no changes are received. */
  readonly blind: ReadonlyMap<string, WatchFailure>;
}

/** The pause before a failed scan of an available root is retried. */
const lookAgainMs = 300_000;
/** When changes during the downtime are scanned, after the start. */
const catchUpMs = 60_000;
/** Above other jobs, so that changes appear within seconds. */
const scanPriority = 80;
const longPatienceMs = 20_000;
/** A plugin has a limit of concurrent calls: with more roots, each is polled. */
const mostPatientRoots = 16;

/** The watches of all libraries. */
export class Watching {
  readonly #parts: WatchingParts;
  readonly #watched = new Map<string, Watched>();
  /** Libraries by the scans that were started here, unless these are known to have failed. */
  readonly #begun = new Map<string, string>();
  /** Libraries with `watch: false`. */
  #unwatched: ReadonlySet<string> = new Set();
  #rootCount = 0;
  #isRunning = false;
  readonly #syncs = createSerialQueue();
  #cancelCatchUp: Undo = () => undefined;

  constructor(parts: WatchingParts) {
    this.#parts = parts;
  }

  /** Libraries were made, changed or removed. */
  readonly refresh = (): void => {
    this.#syncs.run(this.#sync).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'The libraries could not be watched.');
    });
  };

  readonly #sync = async (): Promise<void> => {
    const listed = this.#isRunning ? await this.#parts.libraries.list(serverViewer) : [];
    if (!this.#isRunning) return;
    const all = listed.filter(({ watch }) => watch);
    const before = new Set(this.#watched.keys());
    for (const [id, { folders, stop }] of this.#watched) {
      if (all.some((library) => library.id === id && keyOf(library) === folders)) continue;
      stop();
      this.#watched.delete(id);
    }
    for (const library of all) {
      if (this.#watched.has(library.id)) continue;
      const watch = { folders: keyOf(library), ...this.#watchLibrary(library) };
      this.#watched.set(library.id, watch);
      // Its folders are others now, or its changes were not followed for a while.
      if (before.has(library.id) || this.#unwatched.has(library.id)) watch.noteWhole();
    }
    this.#reportBlind();
    this.#unwatched = new Set(listed.flatMap(({ id, watch }) => (watch ? [] : id)));
    this.#rootCount = all.reduce((sum, { roots }) => sum + roots.length, 0);
  };

  #watchLibrary({ id, roots }: Library): Omit<Watched, 'folders'> {
    const { clock, canWatch, filesystems } = this.#parts;
    const blind = new Map<string, WatchFailure>();
    /** Roots that report only changes of this machine. */
    const halfSeen = new Set<string>();
    const changes = createChangeCollector({
      startScan: (collected) => this.#startScan(id, collected),
      clock,
    });
    const undos = roots.map((root) => {
      const unwatch = followRoot({
        root,
        clock,
        patience: () => (this.#rootCount > mostPatientRoots ? 0 : longPatienceMs),
        watch: async (cursor, waitMs) => {
          if (canWatch(root) === false) throw new KernelError('watch_unavailable', 'The folder');
          return filesystems.watch({ uri: root, cursor, waitMs });
        },
        changed: (some) => changes.note(root, some),
        onMissed: changes.noteWhole,
        onPartial: (isHalf) => {
          if (isHalf === halfSeen.has(root)) return;
          if (isHalf) halfSeen.add(root);
          else halfSeen.delete(root);
          if (isHalf) this.#notifyPartialWatch(id, root);
        },
        onFailure: (why) => this.#noteBlindness(id, why, setBlind(blind, root, why)),
      });
      return () => {
        unwatch();
        filesystems.unwatch(root).catch(() => undefined);
      };
    });
    const polling = this.#poll(() => {
      if (blind.size + halfSeen.size > 0) changes.noteWhole();
    });
    let cancelAgain: Undo = () => undefined;
    return {
      blind,
      noteWhole: changes.noteWhole,
      lookAgain: () => {
        cancelAgain();
        cancelAgain = clock.after(lookAgainMs, () => {
          if (blind.size === 0) changes.noteWhole();
        });
      },
      stop: () => {
        polling();
        cancelAgain();
        changes.stop();
        for (const undo of undos) undo();
      },
    };
  }

  #poll(run: () => void): Undo {
    const { rescanMs, clock } = this.#parts;
    if (rescanMs === 0) return () => undefined;
    let cancel: Undo = () => undefined;
    const again = (): void => {
      cancel = clock.after(rescanMs, () => {
        run();
        again();
      });
    };
    again();
    return () => cancel();
  }

  #noteBlindness(libraryId: string, why: WatchFailure | null, before?: WatchFailure): void {
    if (why === 'away' || before === 'away') this.#parts.onReach(libraryId);
    this.#reportBlind();
  }

  /** A root that cannot be reached is another problem of its library. */
  #reportBlind(): void {
    const found = [...this.#watched].flatMap(([id, { blind }]): readonly FoundProblem[] => {
      const why = [...blind.values()].find((one) => one !== 'away');
      if (why === undefined) return [];
      const name = this.#parts.libraries.nameOf(id) ?? id;
      return [
        {
          code: 'library_unwatched',
          subject: { type: 'library', id },
          message: say('watching.libraryNotWatchedChanges', { name, why: reasons[why].what }),
          action: joinTexts([scanText(this.#parts.rescanMs), reasons[why].action]),
        },
      ];
    });
    this.#parts.report(found);
  }

  /** This is not a problem, so the level is info. */
  #notifyPartialWatch(id: string, root: string): void {
    const { libraries, rescanMs, log } = this.#parts;
    const name = libraries.nameOf(id) ?? id;
    const minutes = Math.round(rescanMs / 60_000);
    const also =
      rescanMs === 0
        ? 'Scan it by hand for those.'
        : `It is also scanned every ${minutes} minutes.`;
    const title = `Changes of other machines in the library ${name} may not be detected here. ${also}`;
    log.info({ root }, title);
  }

  /** Starts a scan of the collected changes, or reports that it must be later. */
  async #startScan(libraryId: string, collected: CollectedChanges): Promise<ScanStart> {
    try {
      const places = collected.isWhole ? null : await this.#placesOf(collected);
      if (!(await this.#isScanned(libraryId)))
        return (await this.#isBusy(libraryId)) ? 'later' : 'begun';
      const payload = places === null ? {} : { payload: { ...places } };
      const scan = { type: 'scan', libraryId, priority: scanPriority, ...payload };
      this.#remember((await this.#parts.jobs.enqueue(scan)).id, libraryId);
      return 'begun';
    } catch (error) {
      if (error instanceof AppError && error.code === 'job_running') return 'later';
      if (error instanceof AppError && error.code === 'not_found') return 'begun';
      // The library has other folders since then, and is scanned as a whole for them.
      if (error instanceof AppError && error.code === 'invalid_request') return 'begun';
      this.#parts.log.warn(
        { libraryId, err: error },
        'The changes of a library will be scanned later.',
      );
      return 'later';
    }
  }

  #remember(jobId: string, libraryId: string): void {
    for (const [other, id] of this.#begun) if (id === libraryId) this.#begun.delete(other);
    this.#begun.set(jobId, libraryId);
  }

  async #placesOf({ byRoot }: CollectedChanges): Promise<ScanFolders | null> {
    const folders: string[] = [];
    const shallow: string[] = [];
    for (const [root, changes] of byRoot) {
      const places = await toScanFolders(root, changes, this.#parts.filesystems);
      if (places === null) return null;
      folders.push(...places.folders);
      shallow.push(...places.shallow);
    }
    return folders.length + shallow.length === 0 ? null : { folders, shallow };
  }

  /** A library that was never scanned waits for its first whole scan. */
  async #isScanned(libraryId: string): Promise<boolean> {
    const library = (await this.#parts.libraries.list(serverViewer)).find(
      ({ id }) => id === libraryId,
    );
    return library !== undefined && library.lastScanAt !== null;
  }

  async #isBusy(libraryId: string): Promise<boolean> {
    const query = { libraryId, status: ['pending', 'running'] as const };
    return (await this.#parts.jobs.list(serverViewer, query)).jobs.some(
      ({ type }) => type === 'scan',
    );
  }

  /** Scans for changes during the downtime, except libraries with an active scan. */
  async #catchUp(): Promise<void> {
    for (const { id, lastScanAt, watch } of await this.#parts.libraries.list(serverViewer)) {
      if (lastScanAt === null || !watch) continue;
      await this.#parts.jobs.enqueue({ type: 'scan', libraryId: id }).catch(() => undefined);
    }
  }

  /** Starts; libraries that were scanned before are scanned once more after a while. */
  readonly start = (): void => {
    this.#isRunning = true;
    this.refresh();
    this.#cancelCatchUp = this.#parts.clock.after(catchUpMs, () => {
      this.#catchUp().catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'The scans after the start failed.'),
      );
    });
  };

  /** A job has failed; a scan of a watched library is retried. */
  readonly jobFailed = (jobId: unknown): void => {
    if (typeof jobId !== 'string') return;
    const libraryId = this.#begun.get(jobId);
    this.#begun.delete(jobId);
    if (libraryId !== undefined) this.#watched.get(libraryId)?.lookAgain();
  };

  readonly stop = (): void => {
    this.#isRunning = false;
    this.#cancelCatchUp();
    for (const { stop } of this.#watched.values()) stop();
    this.#watched.clear();
  };
}

/** Creates it; it does nothing before `start`. */
export const createWatching = (parts: WatchingParts): Watching => new Watching(parts);

const keyOf = ({ roots, links }: Library): string => JSON.stringify([roots, links]);

const reasons: Readonly<
  Record<Exclude<WatchFailure, 'away'>, { readonly what: Text; readonly action: Text }>
> = {
  unwatchable: {
    what: say('watching.foldersCannotWatchedHere'),
    action: say('watching.vitrineDoctorSaysWhetherSystem'),
  },
  unserved: {
    what: say('watching.noPluginServesFiles'),
    action: say('watching.startPluginFilesystem'),
  },
};

/** `rescanMs` = how often everything is scanned; 0 = never. */
function scanText(rescanMs: number): Text {
  if (rescanMs === 0) return say('watching.scanByHand');
  const minutes = Math.round(rescanMs / 60_000);
  return say('watching.scannedEveryMinutesInstead', { minutes });
}

function setBlind(
  blind: Map<string, WatchFailure>,
  root: string,
  why: WatchFailure | null,
): WatchFailure | undefined {
  const before = blind.get(root);
  if (why === null) blind.delete(root);
  else blind.set(root, why);
  return before;
}
