import { KernelError } from '../errors.ts';
import { ConnectionLost } from './postgres/postgres-errors.ts';

/** How long to wait for a database that is locked or unavailable, and the clock. */
export interface Patience {
  readonly patienceMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called once, before the first pause. */
  readonly onWait?: (cause: unknown) => void;
}

const firstPauseMs = 5;
const longestPauseMs = 250;

/**
 * Runs `attempt` until it ends other than with "the database is locked" or "is unavailable", with
 * growing pauses in between. When the time is over it rejects with `storage_busy`.
 */
export async function whileBusy<T>(patience: Patience, attempt: () => Promise<T>): Promise<T> {
  let givesUpAt: number | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      if (givesUpAt === undefined) patience.onWait?.(cause);
      givesUpAt ??= patience.now() + patience.patienceMs;
      if (patience.now() + pauseMs > givesUpAt) throw stillLocked(patience, cause);
    }
    await patience.sleep(pauseMs);
  }
}

/** Whether the error means that another connection holds a lock, or that there is no connection. */
export function isBusy(error: unknown): boolean {
  return error instanceof ConnectionLost || isBusyCode.test(codeOf(error));
}

/** Of PostgreSQL: not serializable, deadlock, lock timeout. */
const isBusyCode = /^(SQLITE_(BUSY|LOCKED)|40001$|40P01$|55P03$)/;

/** Whether the error means that a row with the same unique key exists. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '23505') return true;
  return code.startsWith('SQLITE_CONSTRAINT') && /UNIQUE constraint failed/.test(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function stillLocked({ patienceMs }: Patience, cause: unknown): KernelError {
  if (cause instanceof ConnectionLost) return cause;
  const seconds = Math.round(patienceMs / 1000);
  return new KernelError(
    'storage_busy',
    `Another program has held the lock of the database for ${seconds} s.`,
    { cause },
  );
}
