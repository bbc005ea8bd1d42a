/**
 * Knows whether the server can write. It tries a small write into each folder, at most once in five
 * seconds: when health is requested, and at once when the database refused a write. After a refusal
 * it also tries to write into the database, every five seconds, until that works.
 */
import type { FolderFault } from '../../platform/folder-probe.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../../platform/problems/index.ts';
import type { WrittenFolder } from './written-folders.ts';

/** The dependencies. */
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

/** The watch. */
export interface WriteWatch {
  /** The database refused a write with this code. */
  readonly refused: (code: string) => void;
  /** Looks again if the last look is too long ago. */
  readonly refresh: () => undefined | Promise<undefined>;
  readonly stop: () => void;
}

const freshMs = 5000;

/** Creates the watch; nothing is written before the first `refresh`. */
export function createWriteWatch(parts: WriteWatchParts): WriteWatch {
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
    refused: (code) => {
      if (isStopped || !(code in refusals)) return;
      const isFirst = refusal === null;
      refusal = code;
      if (isFirst) begin();
    },
    refresh: () => {
      const age = clock.now() - lookedAt;
      if (isStopped || (age >= 0 && age < freshMs)) return undefined;
      begin();
      return looking ?? undefined;
    },
    stop: () => {
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
  const { genitive, accusative } = germanNames[name] ?? { genitive: name, accusative: name };
  return {
    full: {
      message: {
        english: `The disk of the ${name} is full.`,
        german: `Die Platte ${genitive} ist voll.`,
      },
      action: {
        english:
          'Make room on it. What reads keeps working, and everything else continues by itself.',
        german:
          'Schaffen Sie Platz darauf. Was liest, geht weiter, und alles andere läuft dann von selbst wieder.',
      },
    },
    'read-only': {
      message: {
        english: `The disk of the ${name} is read-only.`,
        german: `Die Platte ${genitive} ist schreibgeschützt.`,
      },
      action: {
        english:
          'The log of the system (dmesg) says why. Check the disk, and mount it for writing again.',
        german:
          'Das Protokoll des Systems (dmesg) sagt, warum. Prüfen Sie die Platte, und hängen Sie sie wieder zum Schreiben ein.',
      },
    },
    'no-permission': {
      message: {
        english: `The server may not write into the ${name}.`,
        german: `Der Server darf nicht in ${accusative} schreiben.`,
      },
      action: {
        english: 'Give the folder to the user of the server with chown -R.',
        german: 'Geben Sie den Ordner mit chown -R dem Benutzer des Servers.',
      },
    },
    failed: {
      message: {
        english: `The disk of the ${name} fails.`,
        german: `Die Platte ${genitive} versagt.`,
      },
      action: {
        english: 'Check the disk and its cables; the log of the system (dmesg) says more.',
        german:
          'Prüfen Sie die Platte und ihre Kabel; das Protokoll des Systems (dmesg) sagt mehr.',
      },
    },
  };
}

const germanNames: Readonly<
  Record<string, { readonly genitive: string; readonly accusative: string }>
> = {
  'data folder': { genitive: 'des Datenordners', accusative: 'den Datenordner' },
  'folder of the database': {
    genitive: 'des Ordners der Datenbank',
    accusative: 'den Ordner der Datenbank',
  },
  database: { genitive: 'der Datenbank', accusative: 'die Datenbank' },
};

type Told = Pick<FoundProblem, 'message' | 'action'>;

const disk = faults('database');
/** What is told of a write that the database refused, by code. */
const refusals: Readonly<Record<string, Told>> = {
  storage_full: disk.full,
  storage_read_only: disk['read-only'],
  storage_failed: {
    message: {
      english: 'The database failed to store a change.',
      german: 'Die Datenbank konnte eine Änderung nicht speichern.',
    },
    action: {
      english: 'Check its disk, or that PostgreSQL runs; the log says more.',
      german: 'Prüfen Sie ihre Platte, oder ob PostgreSQL läuft; das Protokoll sagt mehr.',
    },
  },
  storage_busy: {
    message: {
      english: 'Another program holds the lock of the database.',
      german: 'Ein anderes Programm hält die Sperre der Datenbank.',
    },
    action: {
      english: 'Stop the other program: a backup tool, or an open SQLite shell.',
      german:
        'Beenden Sie das andere Programm: eines für Sicherungen oder eine offene Shell von SQLite.',
    },
  },
  storage_damaged: {
    message: { english: 'The database is damaged.', german: 'Die Datenbank ist beschädigt.' },
    action: {
      english:
        'Run vitrine database check. If it confirms the damage, restore a backup (vitrine backup restore).',
      german:
        'Führen Sie vitrine database check aus. Bestätigt das den Schaden, stellen Sie eine Sicherung wieder her (vitrine backup restore).',
    },
  },
};

const refusedWith = (code: string): FoundProblem => ({
  code: 'cannot_write',
  subject: { type: 'database', id: 'main' },
  ...(refusals[code] ?? disk.failed),
});
