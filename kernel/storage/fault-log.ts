import type { KernelError } from '../errors.ts';
import type { Log } from '../log.ts';

const quietMs = 10_000;

/**
 * Logs failures of the database, each kind at most once in ten seconds: a full disk fails every
 * write.
 */
export function createFaultLog(log: Log, now: () => number): (error: KernelError) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const since = now() - (toldAt.get(error.code) ?? Number.NEGATIVE_INFINITY);
    if (since < quietMs) return;
    toldAt.set(error.code, now());
    log.error({ code: error.code, err: error.cause }, error.message);
  };
}
