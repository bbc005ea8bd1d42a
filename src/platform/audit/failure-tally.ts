import type { Clock, Undo } from '../clock.ts';
import type { AuditEntry } from './audit-entry.ts';
import { runAsServer } from './request-origin.ts';

/** Failures that are counted together. */
export type FailureTally = ReturnType<typeof createFailureTally>;

interface Window {
  readonly counted: AuditEntry[];
  count: number;
  readonly undo: Undo;
}

const windowMs = 60_000;
/** The most failures that an entry lists; further ones are only counted. */
const mostListed = 20;

/**
 * Counts failures that clients can cause. Any number of attempts costs an action at most two
 * entries a minute, so wrong passwords can neither fill the disk nor hide an act among many
 * entries.
 */
export function createFailureTally(clock: Clock, record: (entry: AuditEntry) => void) {
  const windows = new Map<string, Window>();

  /**
   * Records a failure: the first after a quiet minute immediately, later ones together at its end.
   */
  function add(entry: AuditEntry): void {
    const { action } = entry;
    const window = windows.get(action);
    if (window === undefined) {
      windows.set(action, {
        counted: [],
        count: 0,
        undo: clock.after(windowMs, () => end(action)),
      });
      record(entry);
      return;
    }
    window.count += 1;
    if (window.counted.length < mostListed) window.counted.push(entry);
  }

  function end(action: string): void {
    const window = windows.get(action);
    windows.delete(action);
    window?.undo();
    if (window === undefined || window.count === 0) return;
    runAsServer(() => record(together(action, window)));
  }

  return {
    add /** Writes the pending counts. */,
    flush: (): void => [...windows.keys()].forEach(end),
  };
}

function together(action: string, { counted, count }: Window): AuditEntry {
  const addresses = [...new Set(counted.map(({ address }) => address ?? null))];
  const targets = [...new Set(counted.map(({ target }) => target?.id ?? null))];
  const [first] = counted;
  return {
    actor: 'nobody',
    action,
    target: targets.length === 1 ? (first?.target ?? null) : null,
    details: {
      count,
      addresses,
      targets,
      attempts: counted.map(({ target, address, details }) => ({
        target: target?.id ?? null,
        address: address ?? null,
        ...details,
      })),
    },
    address: addresses.length === 1 ? (addresses[0] ?? null) : null,
  };
}
