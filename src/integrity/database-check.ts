/** Whether the database is whole: looked at when somebody asks, and told when it is not. */
import type { Database, DatabaseFault, Log } from '../../kernel/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { lookThrough } from './look-through.ts';

/** How a check ended. */
export interface CheckResult {
  readonly ok: boolean;
  readonly checkedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** The first of them, if there are very many. */
  readonly faults: readonly DatabaseFault[];
}

/** The check of this server's database. */
export interface DatabaseCheck {
  /** Looks through all of it while everything goes on. One at a time. */
  readonly run: () => Promise<CheckResult>;
  /** The last one of this life of the server. */
  readonly last: () => CheckResult | null;
}

/** What it is made of. */
export interface DatabaseCheckParts {
  readonly database: Database;
  readonly tell: (notice: {
    readonly level: 'error';
    readonly title: string;
    readonly message: string;
    readonly source: 'storage';
  }) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly log: Log;
}

const mostFaults = 100;

/** Creates the check. */
export function createDatabaseCheck(parts: DatabaseCheckParts): DatabaseCheck {
  const { database, tell, clock, elapsed, log } = parts;
  let isRunning = false;
  let last: CheckResult | null = null;

  async function look(): Promise<CheckResult> {
    const beganAt = elapsed();
    const faults = await lookThrough(database.read);
    const checkedAt = toTimestamp(clock.now());
    const duration = Math.round(elapsed() - beganAt);
    return { ok: faults.length === 0, checkedAt, duration, faults: faults.slice(0, mostFaults) };
  }

  function tellOf({ faults }: CheckResult): void {
    log.error({ faults }, 'The database is not whole.');
    tell({
      level: 'error',
      title: 'The database is not whole.',
      message: `${faults.map(({ message }) => message).join(' ')} Restore a backup, or ask for help with what GET /api/database says.`,
      source: 'storage',
    });
  }

  const run: DatabaseCheck['run'] = async () => {
    if (isRunning) throw new AppError('conflict', { what: 'A check of the database is at work.' });
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
