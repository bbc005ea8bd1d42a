/** The integrity check of the database: runs on request, and notifies admins of faults. */
import type { Database } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { quoted, say } from '../../platform/text.ts';
import { AppError } from '../../platform/errors.ts';
import type { FoundProblem, ProblemCode } from '../../platform/problems/index.ts';
import { checkIntegrity } from './check-integrity.ts';
import type { CheckResult } from '../../contract/resources/operations/database.ts';

/** The check of this server's database. */
export type DatabaseCheck = ReturnType<typeof createDatabaseCheck>;

export interface DatabaseCheckParts {
  readonly database: Database;
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  readonly clock: Pick<Clock, 'now'>;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
}

const mostFaults = 100;

export function createDatabaseCheck(parts: DatabaseCheckParts) {
  const { database, report, clock, elapsed } = parts;
  let isRunning = false;
  let last: CheckResult | null = null;

  async function look(): Promise<CheckResult> {
    const beganAt = elapsed();
    const faults = await checkIntegrity(database.read);
    const checkedAt = toTimestamp(clock.now());
    const duration = Math.round(elapsed() - beganAt);
    return { ok: faults.length === 0, checkedAt, duration, faults: faults.slice(0, mostFaults) };
  }

  /** Checks everything while the server keeps running. One check at a time. */
  const run = async (): Promise<CheckResult> => {
    if (isRunning)
      throw new AppError('conflict', { what: 'A check of the database is in progress.' });
    isRunning = true;
    try {
      last = await look();
    } finally {
      isRunning = false;
    }
    report(['database_damaged'], last.ok ? [] : [damaged(last)]);
    return last;
  };

  return {
    run /** The last result since the start of the server. */,
    last: (): CheckResult | null => last,
  };
}

const mostNamed = 10;

const damaged = ({ faults }: CheckResult): FoundProblem => ({
  code: 'database_damaged',
  subject: { type: 'database', id: 'main' },
  message: say('database.databaseDamaged'),
  detail: quoted(
    faults
      .slice(0, mostNamed)
      .map(({ message }) => message)
      .join(' '),
  ),
  action: say('database.restoreBackupAskHelpFaults'),
});
