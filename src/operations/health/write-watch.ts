/**
 * Knows whether the server can write. It tries a small write into each folder, at most once in five
 * seconds: when health is requested, and at once when the database refused a write. After a refusal
 * it also tries to write into the database, every five seconds, until that works.
 */
import type { FolderFault } from '../../platform/folder-probe.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../../platform/problems/index.ts';
import type { WrittenFolder } from './written-folders.ts';
import { quoted, say, type Text } from '../../platform/text.ts';

export interface WriteWatchParts {
  readonly folders: readonly WrittenFolder[];
  readonly probe: (folder: string) => Promise<FolderFault | null>;
  /** Reads from the database; one that cannot be read is another problem. */
  readonly ping: () => Promise<unknown>;
  /** Writes into the database; rejects when that is refused. */
  readonly tryWrite: () => Promise<void>;
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  readonly clock: Clock;
}

export type WriteWatch = ReturnType<typeof createWriteWatch>;

const freshMs = 5000;

/** Creates the watch; nothing is written before the first `refresh`. */
export function createWriteWatch(parts: WriteWatchParts) {
  const { folders, probe, ping, tryWrite, report, clock } = parts;
  let refusal: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<undefined> | null = null;
  let cancelNext: Undo = () => undefined;
  let isStopped = false;

  async function look(): Promise<undefined> {
    const found = (await Promise.all(folders.map(lookAt))).flat();
    const refused = refusal === null ? null : await tryDatabase(refusal);
    if (refused !== null && found.length === 0) found.push(refusedWith(refused));
    lookedAt = clock.now();
    looking = null;
    report(['cannot_write'], found);
    cancelNext();
    if (!isStopped && (found.length > 0 || refusal !== null))
      cancelNext = clock.after(freshMs, begin);
  }

  async function lookAt({ name, path }: WrittenFolder): Promise<readonly FoundProblem[]> {
    const fault = await probe(path);
    return fault === null
      ? []
      : [{ ...faultOf(name, fault), subject: { type: 'folder', id: name } }];
  }

  /** With which code the database refuses to write now; `null` = it does not, or cannot be read. */
  async function tryDatabase(last: string): Promise<string | null> {
    const isReadable = await ping().then(
      () => true,
      () => false,
    );
    if (!isReadable) return null;
    try {
      await tryWrite();
      refusal = null;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      refusal = code in refusals ? code : last;
    }
    return refusal;
  }

  function begin(): void {
    looking ??= look();
  }

  return {
    /** The database refused a write with this code. */
    refused: (code: string): void => {
      if (isStopped || !(code in refusals)) return;
      const isFirst = refusal === null;
      refusal = code;
      if (isFirst) begin();
    },
    /** Looks again if the last look is too long ago. */
    refresh: (): undefined | Promise<undefined> => {
      const age = clock.now() - lookedAt;
      if (isStopped || (age >= 0 && age < freshMs)) return undefined;
      begin();
      return looking ?? undefined;
    },
    stop: (): void => {
      isStopped = true;
      cancelNext();
    },
  };
}

/** What an operator is told of a fault of a folder; a read-only disk is not repaired by rights or backups. */
export const faultOf = (
  name: string,
  fault: FolderFault,
): Pick<FoundProblem, 'code' | 'message' | 'action'> => ({
  code: 'cannot_write',
  ...faults(name)[fault],
});

/** `name` is that of the folder, or `database`. */
function faults(name: string): Readonly<Record<FolderFault, Told>> {
  const { of, into } = folderNames[name] ?? { of: quoted(name), into: quoted(name) };
  return {
    full: {
      message: say('writes.diskIsFull', { place: of }),
      action: say('writes.makeRoomWhatReadsKeeps'),
    },
    'read-only': {
      message: say('writes.diskIsReadOnly', { place: of }),
      action: say('writes.logSystemDmesgSaysWhy'),
    },
    'no-permission': {
      message: say('writes.mayNotWrite', { place: into }),
      action: say('writes.giveFolderUserServerChown'),
    },
    failed: {
      message: say('writes.diskFails', { place: of }),
      action: say('writes.checkDiskCablesLogSystem'),
    },
  };
}

/** As the words say them: the disk of it, and to write into it. */
const folderNames: Readonly<Record<string, { readonly of: Text; readonly into: Text }>> = {
  'data folder': { of: say('writes.of.dataFolder'), into: say('writes.into.dataFolder') },
  'folder of the database': {
    of: say('writes.of.folderOfDatabase'),
    into: say('writes.into.folderOfDatabase'),
  },
  database: { of: say('writes.of.database'), into: say('writes.into.database') },
};

type Told = Pick<FoundProblem, 'message' | 'action'>;

const disk = faults('database');
/** What is told of a write that the database refused, by code. */
const refusals: Readonly<Record<string, Told>> = {
  storage_full: disk.full,
  storage_read_only: disk['read-only'],
  storage_failed: {
    message: say('writes.databaseFailedStoreChange'),
    action: say('writes.checkDiskPostgresqlRunsLog'),
  },
  storage_busy: {
    message: say('writes.anotherProgramHoldsLockDatabase'),
    action: say('writes.stopOtherProgramBackupTool'),
  },
  storage_damaged: {
    message: say('writes.databaseDamaged'),
    action: say('writes.runVitrineDatabaseCheckConfirms'),
  },
};

const refusedWith = (code: string): FoundProblem => ({
  code: 'cannot_write',
  subject: { type: 'database', id: 'main' },
  ...(refusals[code] ?? disk.failed),
});
