/**
 * Back-fill for hooks that were granted after items had been found: each runs over what is in the
 * libraries of its grant, once. The same for hooks, probes, indexers and library plugins whose answers have a higher
 * version than those that are kept. The hook is stored as known in the transaction that queues the
 * work, so a stop of the server neither loses nor repeats anything.
 */
import type { Log, Narrowed } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { HookName } from '../../../plugin-api/index.ts';
import { isBelow } from '../../files/filesystems/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createGrantLooks } from './grant-looks.ts';
import {
  forgetHook,
  forgetLibrary,
  readKnownHooks,
  saveKnownHooks,
  type KnownHook,
} from './hook-backfill-store.ts';

/** A hook that a plugin was granted, or a capability whose answers are kept as those of hooks are. */
export interface HookOfGrant {
  readonly pluginId: string;
  readonly name: HookName | 'probe' | 'indexer' | 'library';
  /** Its answers are dropped. */
  readonly isObserver: boolean;
  /** Whether it wants to see what was there before the grant. */
  readonly catchesUp: boolean;
  /** The version of its answers. */
  readonly answersVersion: number;
  /** False until its plugin runs: it would be left out. */
  readonly isRunning: boolean;
  /** The libraries of the grant, each as a whole or some folders of it. */
  readonly libraries: Narrowed;
}

/** Lets new hooks see what is there. */
export type HookBackfill = ReturnType<typeof createHookBackfill>;

/**
 * Queues work over a library, and writes `alongside` in the transaction that stores it. False when
 * that has to wait.
 */
export type QueueWork = (
  libraryId: string,
  alongside: (trx: Transaction) => Promise<void>,
) => Promise<boolean>;

/** What the back-fill needs. */
export interface HookBackfillParts {
  readonly database: Pick<Database, 'read' | 'write' | 'insertRows'>;
  readonly hooks: () => readonly HookOfGrant[];
  /** The ids of all libraries. */
  readonly libraries: () => readonly string[];
  /** Whether the package of a plugin cannot be read now: its grant is not over. */
  readonly isUnreadable: (pluginId: string) => boolean;
  /**
   * Groups the files of a library again, and runs the hooks and indexers of its items, without asking
   * anything on the network.
   * Media is read where the report of a probe is missing, or older than its answers are now.
   */
  readonly merge: QueueWork;
  /** Reads the folders of a library. */
  readonly scan: QueueWork;
  readonly booted: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What runs a hook over a library; null = the server does not call it. */
const workOf: { readonly [Name in HookOfGrant['name']]: 'merge' | 'scan' | null } = {
  'pipeline.scan.prepare': 'scan',
  'pipeline.probe.afterProcess': 'merge',
  'pipeline.index.afterProcess': 'merge',
  'pipeline.item.beforeActivate': null,
  probe: 'merge',
  indexer: 'merge',
  library: 'merge',
};

interface GrantedRow extends KnownHook {
  readonly writes: boolean;
  readonly work: 'merge' | 'scan';
  readonly isRunning: boolean;
}

/** Creates it; it does nothing before `start`. */
export function createHookBackfill(parts: HookBackfillParts) {
  const { database, log } = parts;
  const looks = createGrantLooks({
    ...parts,
    what: 'New hooks',
    welcome: welcomeAll,
    wakers: ['library.created'],
  });

  async function welcomeAll(): Promise<void> {
    const { hooks: known, libraries: knownLibraries } = await readKnownHooks(database.read);
    const libraries = parts.libraries();
    const granted = grantedRows(libraries);
    const before = new Map(known.map((row) => [keyOf(row), row]));
    const now = new Set(granted.map(keyOf));

    /** A hook that runs sees by itself what a new library has. */
    const hasSeen = (row: GrantedRow): boolean =>
      (row.isRunning && !knownLibraries.has(row.library_id)) ||
      covers(before.get(keyOf(row)) ?? firstOf(row), row);
    const newLibraries = libraries.filter((id) => !knownLibraries.has(id));
    const seen = granted.filter((row) => hasSeen(row) && !isSame(before.get(keyOf(row)), row));
    const due = granted.filter((row) => row.isRunning && !hasSeen(row));
    const over = known.filter((row) => !now.has(keyOf(row)) && !parts.isUnreadable(row.plugin_id));
    const gone = [...knownLibraries].filter((id) => !libraries.includes(id));

    if (newLibraries.length + seen.length + over.length + gone.length > 0)
      await database.write(async (trx) => {
        for (const row of over) await forgetHook(trx, row);
        for (const id of gone) await forgetLibrary(trx, id);
        await saveKnownHooks(database, trx, seen.map(toKnown), newLibraries);
      });
    // Hooks of one library that are new at the same time share its work.
    const works = Map.groupBy(due, ({ work, library_id }) => `${work} ${library_id}`);
    for (const rows of works.values()) await queue(rows);
  }

  /** One row for each granted hook and library. */
  function grantedRows(libraries: readonly string[]): readonly GrantedRow[] {
    return parts.hooks().flatMap((hook): readonly GrantedRow[] => {
      const work = workOf[hook.name];
      if (work === null || !hook.catchesUp) return [];
      return hook.libraries
        .filter(({ id }) => libraries.includes(id))
        .map(({ id: library_id, folders }) => ({
          plugin_id: hook.pluginId,
          hook: hook.name,
          library_id,
          folders: folders === undefined ? null : JSON.stringify(folders),
          writes: !hook.isObserver,
          answers_version: hook.answersVersion,
          work,
          isRunning: hook.isRunning,
        }));
    });
  }

  async function queue([first, ...others]: readonly GrantedRow[]): Promise<void> {
    if (first === undefined) return;
    const rows = [first, ...others].map(toKnown);
    const alongside = (trx: Transaction) => saveKnownHooks(database, trx, rows);
    const { library_id: libraryId } = first;
    if (!(await parts[first.work](libraryId, alongside))) return;
    const hooks = rows.map(({ plugin_id, hook }) => `${plugin_id} ${hook}`);
    log.info({ libraryId, hooks }, 'New hooks, or better ones, run over what is there already');
  }

  return {
    /** Looks for new hooks now, then whenever a plugin has started or a library was added. */
    start: looks.start,
    stop: looks.stop,
  };
}

const keyOf = ({ plugin_id, hook, library_id }: KnownHook): string =>
  [plugin_id, hook, library_id].join('\n');

const toKnown = (row: KnownHook): KnownHook => {
  const { plugin_id, hook, library_id, writes, answers_version, folders } = row;
  return { plugin_id, hook, library_id, writes, answers_version, folders };
};

/** Capabilities were there before they were known: only answers of a first version are kept. */
const firstOf = (row: GrantedRow): KnownHook | undefined =>
  row.hook.includes('.') ? undefined : { ...row, answers_version: 1 };

const isSame = (seen: KnownHook | undefined, now: GrantedRow): boolean =>
  seen !== undefined &&
  Boolean(seen.writes) === now.writes &&
  seen.answers_version === now.answers_version &&
  seen.folders === now.folders;

/**
 * Whether the hook has seen all that it may see now, could change it where it may now, and would not
 * answer better.
 */
function covers(seen: KnownHook | undefined, now: GrantedRow): boolean {
  if (seen === undefined || (now.writes && !seen.writes)) return false;
  if (seen.answers_version < now.answers_version) return false;
  if (seen.folders === null || now.folders === null) return seen.folders === null;
  const folders = foldersIn(seen.folders);
  return foldersIn(now.folders).every((one) => folders.some((other) => isBelow(one, other)));
}

const foldersIn = (json: string): readonly string[] => JSON.parse(json) as readonly string[];
