/** The table of problems, and the parts that notice them. */
import type { EventBus } from '../../kernel/call/events/index.ts';
import type { Kernel } from '../../kernel/index.ts';
import { probeFolder } from '../platform/folder-probe.ts';
import { hasPostgresPrograms } from '../operations/backups/index.ts';
import {
  allOf,
  backupAbsence,
  createDatabaseWatch,
  createWriteWatch,
  expiredIndexes,
  freeBytesOf,
  createOpenFilesWatch,
  secretProblems,
  serverCodes,
  serverProblems,
  spaceProblems,
  taskCodes,
  taskProblems,
  type TaskState,
  writtenFolders,
} from '../operations/health/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { Licensing } from '../operations/license/index.ts';
import type { Undo } from '../platform/clock.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import { createProblems, type Problems } from '../platform/problems/index.ts';
import { createPluginProblems, type PluginProblems } from '../plugins/admin/index.ts';
import type { Marketplace } from '../plugins/marketplace/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createLibraryLooks, type LibraryLooks } from './library-looks.ts';
import type { Part } from './lifetime.ts';
import type { Servers } from './servers.ts';

/** The problems of the server. */
export interface ProblemTable extends Pick<Problems, 'list' | 'set'> {
  /** Brings what can change by itself up to date. `undefined` = it is. */
  readonly refresh: () => undefined | Promise<undefined>;
  readonly pluginFailsOften: PluginProblems['failsOften'];
  /** Reads what is stored of the libraries. */
  readonly lookAtLibraries: LibraryLooks['look'];
  /** Checks the roots of a library. */
  readonly lookAtRoots: LibraryLooks['lookAtRoots'];
  /** Looks for marketplace indexes that have expired. */
  readonly lookAtIndexes: () => void;
  /** Looks at the last runs of the scheduled tasks. */
  readonly lookAtTasks: () => void;
  /** Looks at the free space of the disk of the data folder. */
  readonly lookAtSpace: () => Promise<void>;
  readonly part: Part;
}

export interface ProblemNeeds {
  readonly kernel: Kernel;
  /** The events of all servers on the database. */
  readonly everywhere: Pick<EventBus, 'listen'>;
  readonly notifications: Notifications;
  readonly library: () => LibraryDomain;
  readonly licensing: () => Licensing;
  readonly marketplace: () => Marketplace;
  readonly tasks: () => readonly TaskState[];
  readonly servers: Servers['list'];
}

const libraryChanges = ['library.scan.completed', 'library.updated', 'library.deleted'] as const;

/** How often the looks run when nobody requests health. */
const lookEveryMs = 60_000;
const pluginsEveryMs = 1000;
const serversEveryMs = 5000;

/** Builds the table; nothing is looked at before it starts. */
export function composeProblems(infrastructure: Infrastructure, needs: ProblemNeeds): ProblemTable {
  const { kernel, everywhere, notifications, library, licensing, marketplace, tasks } = needs;
  const { cluster, database, storage, refusedWrites, clock, steady, holds, log } = infrastructure;
  const problems = createProblems({ database, notifications, clock, log });
  holds(problems.close);
  const report = problems.set;
  const { ping, tryWrite } = storage;
  const writes = createWriteWatch({
    folders: writtenFolders(infrastructure.config),
    probe: probeFolder,
    ping,
    tryWrite,
    report,
    clock: steady,
  });
  const lookAtDatabase = createDatabaseWatch({ ping, report, clock: steady });
  const { lifecycle } = kernel.plugins;
  const plugins = createPluginProblems({
    plugins: kernel.plugins,
    isBooted: lifecycle.bootComplete,
    report,
    clock,
  });
  refusedWrites.add(writes.refused);
  kernel.events.listen('plugin.*', plugins.look);
  const libraries = createLibraryLooks({ library, report, log });
  for (const name of libraryChanges) everywhere.listen(name, libraries.look);
  const lookAtTasks = (): void => report(taskCodes, taskProblems(tasks()));
  const { database: databaseUrl, backupElsewhere, searchPath } = infrastructure.config;
  const mayLack = !databaseUrl.startsWith('sqlite:') && backupElsewhere === 'off';
  const lookAtBackups = (): void =>
    report(['backup_absent'], backupAbsence(mayLack && !hasPostgresPrograms(searchPath)));
  const lookAtIndexes = (): void =>
    report(['index_expired'], expiredIndexes(marketplace().sources()));
  const lookAtSecrets = async (): Promise<void> => {
    if (!lifecycle.bootComplete()) return;
    const isLicenseLost = licensing().isUnreadable();
    const plugins = await kernel.plugins.secrets.lost();
    report(['secrets_unreadable'], secretProblems({ plugins, isLicenseLost }));
  };
  const lookAtSpace = async (): Promise<void> =>
    report(['disk_nearly_full'], spaceProblems(await freeBytesOf(infrastructure.config.data)));
  const lookAtBlobs = async (): Promise<void> =>
    report(['blobs_failing'], await infrastructure.blobs.problems());
  const lookAtServers = async (): Promise<void> =>
    report(serverCodes, serverProblems(await needs.servers()));
  const lookAtOpenFiles = createOpenFilesWatch({ report, clock: steady });
  let pluginsAt = Number.NEGATIVE_INFINITY;
  /** Health is requested often, and a decision of an admin on a failed plugin emits no event. */
  function lookAtPlugins(): void {
    const now = steady.now();
    if (now - pluginsAt < pluginsEveryMs) return;
    pluginsAt = now;
    plugins.look();
  }
  const refresh = allOf(steady, [
    lookAtDatabase,
    writes.refresh,
    lookAtIndexes,
    lookAtTasks,
    lookAtPlugins,
    lookAtOpenFiles,
  ]);

  let isStarted = false;
  let cancelNext: Undo = () => undefined;
  function look(): void {
    plugins.look();
    lookAtBackups();
    void refresh();
    for (const one of [lookAtSpace, lookAtSecrets, lookAtBlobs]) one().catch(() => undefined);
    libraries.lookAgain();
    cancelNext = steady.after(lookEveryMs, look);
  }
  /** More often, since another server may die or freeze at any time. */
  let cancelServers: Undo = () => undefined;
  function watchServers(): void {
    void lookAtServers()
      .catch((err: unknown) => log.debug({ err }, 'The other servers could not be looked at.'))
      .finally(() => {
        if (isStarted) cancelServers = steady.after(serversEveryMs, watchServers);
      });
  }
  return {
    list: problems.list,
    set: problems.set,
    refresh: () => (isStarted ? refresh() : undefined),
    pluginFailsOften: plugins.failsOften,
    lookAtLibraries: () => {
      if (isStarted) libraries.look();
    },
    lookAtRoots: libraries.lookAtRoots,
    lookAtIndexes,
    lookAtTasks,
    lookAtSpace,
    part: {
      start: async () => {
        await problems.open();
        isStarted = true;
        look();
        if (cluster) watchServers();
        const lookAfterBoot = async (): Promise<void> => {
          await lifecycle.booted();
          plugins.look();
          await lookAtSecrets();
        };
        lookAfterBoot().catch((err: unknown) =>
          log.debug({ err }, 'The problems of plugins could not be looked at.'),
        );
      },
      stop: () => {
        isStarted = false;
        cancelNext();
        cancelServers();
        writes.stop();
      },
    },
  };
}
