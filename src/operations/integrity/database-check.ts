/** The integrity check of the database: runs on request, and notifies admins of faults. */
import type { Log } from '../../../kernel/index.ts';
import type { Database, DatabaseFault } from '../../../kernel/storage/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { checkIntegrity } from './check-integrity.ts';

/** The result of a check. */
export interface CheckResult {
  readonly ok: boolean;
  readonly checkedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** The first faults, if there are very many. */
  readonly faults: readonly DatabaseFault[];
}

/** The check of this server's database. */
export interface DatabaseCheck {
  /** Checks everything while the server keeps running. One check at a time. */
  readonly run: () => Promise<CheckResult>;
  /** The last result since the start of the server. */
  readonly last: () => CheckResult | null;
}

/** The dependencies. */
export interface DatabaseCheckParts {
  readonly database: Database;
  readonly notify: (notice: {
    readonly level: 'error';
    readonly title: string;
    readonly message: string;
    readonly source: 'storage';
  }) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  readonly log: Log;
}

const mostFaults = 100;

/** Creates the check. */
export function createDatabaseCheck(parts: DatabaseCheckParts): DatabaseCheck {
  const { database, notify, clock, elapsed, log } = parts;
  let isRunning = false;
  let last: CheckResult | null = null;

  async function look(): Promise<CheckResult> {
    const beganAt = elapsed();
    const faults = await checkIntegrity(database.read);
    const checkedAt = toTimestamp(clock.now());
    const duration = Math.round(elapsed() - beganAt);
    return { ok: faults.length === 0, checkedAt, duration, faults: faults.slice(0, mostFaults) };
  }

  function tellOf({ faults }: CheckResult): void {
    log.error({ faults }, 'The database is damaged.');
    notify({
      level: 'error',
      title: 'The database is damaged.',
      message: `${faults.map(({ message }) => message).join(' ')} Restore a backup, or ask for help with the output of GET /api/database.`,
      source: 'storage',
    });
  }

  const run: DatabaseCheck['run'] = async () => {
    if (isRunning)
      throw new AppError('conflict', { what: 'A check of the database is in progress.' });
    isRunning = true;
    try {
      last = await look();
    } finally {
      isRunning = false;
    }
    if (!last.ok) tellOf(last);
    return last;
  };

  return { run, last: () => last };
}
