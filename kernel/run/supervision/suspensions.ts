/**
 * Suspends handlers that do not answer. Guarantees: a handler that timed out three times in a row, or
 * failed fifty times in a row, is not called for a minute; after one more time-out or failure for five
 * minutes, then for thirty. Other handlers are not affected. An answer ends the suspension.
 */
import type { Suspension } from '../../call/suspended-dispatch.ts';
import type { Clock } from '../plugin/clock.ts';

/** How a call ended. `failed`: the handler threw, or ended its plugin. `other` says nothing of it. */
export type CallEnd = 'returned' | 'timed-out' | 'failed' | 'other';

/** A handler that is not called for a while, and what it did. */
export interface SuspendedHandler {
  readonly handler: string;
  readonly end: 'timed-out' | 'failed';
}

/** The suspensions of one plugin. */
export type Suspensions = ReturnType<typeof createSuspensions>;

export interface SuspensionsParts {
  readonly clock: Pick<Clock, 'now'>;
  /** Writes a line into the plugin's log. */
  readonly tell: (level: 'info' | 'warn', text: string) => void;
  /** Called when a handler is suspended while no other one is. */
  readonly onFirst?: (suspended: SuspendedHandler) => void;
  /** Called when the last one answers again, and when all are cleared. */
  readonly onNone?: () => void;
}

interface Row {
  /** In a row. */
  timeouts: number;
  /** In a row. */
  failures: number;
  /** How often it was suspended without an answer in between. */
  level: number;
  until: number;
  reason: string;
}

const mostTimeouts = 3;
/** A throw costs less than a time-out, and may be about one input. */
const mostFailures = 50;
const backOffMinutes = [1, 5, 30] as const;
/** Plugins can invent event names without limit. */
const mostHandlers = 200;

/** Creates the suspensions, none so far. */
export function createSuspensions(parts: SuspensionsParts) {
  const { clock, tell } = parts;
  const rows = new Map<string, Row>();
  /** A handler that is tried again is not over before it answers. */
  const areAllWell = (): boolean => [...rows.values()].every(({ level }) => level === 0);

  function rowOf(handler: string): Row {
    const row = rows.get(handler) ?? { timeouts: 0, failures: 0, level: 0, until: 0, reason: '' };
    rows.set(handler, row);
    const [oldest] = rows.keys();
    if (rows.size > mostHandlers && oldest !== undefined) forget(oldest);
    return row;
  }

  function forget(handler: string): void {
    const row = rows.get(handler);
    rows.delete(handler);
    if (row !== undefined && row.level > 0 && areAllWell()) parts.onNone?.();
  }

  function timedOut(handler: string): void {
    const row = rowOf(handler);
    // A call that began before the suspension does not extend it.
    if (clock.now() < row.until) return;
    row.timeouts += 1;
    if (row.level > 0 || row.timeouts >= mostTimeouts)
      suspend(
        row,
        { handler, end: 'timed-out' },
        row.level > 0 ? 'gave no answer again' : noAnswer,
      );
  }

  function failed(handler: string): void {
    const row = rowOf(handler);
    row.timeouts = 0;
    if (clock.now() < row.until) return;
    row.failures += 1;
    if (row.level > 0 || row.failures >= mostFailures)
      suspend(row, { handler, end: 'failed' }, row.level > 0 ? 'failed again' : onlyFailures);
  }

  function suspend(row: Row, suspended: SuspendedHandler, why: string): void {
    const { handler } = suspended;
    const isFirst = areAllWell();
    const minutes = backOffMinutes[Math.min(row.level, backOffMinutes.length - 1)] ?? 1;
    row.level += 1;
    row.timeouts = 0;
    row.failures = 0;
    row.until = clock.now() + minutes * 60_000;
    if (row.reason === '') row.reason = why;
    tell('warn', `The handler ${handler} ${why}: it is not called for ${minutes} min.`);
    if (isFirst) parts.onFirst?.(suspended);
  }

  function answered(handler: string): void {
    const row = rows.get(handler);
    if (!row || clock.now() < row.until) return;
    if (row.level > 0) tell('info', `The handler ${handler} answers again.`);
    forget(handler);
  }

  function toSuspension(handler: string, { until, reason }: Row): Suspension {
    return { handler, until: new Date(until).toISOString(), reason: `It ${reason}.` };
  }

  return {
    /** Whether no handler timed out or failed recently. */
    isEmpty: (): boolean => rows.size === 0,
    /** The suspension of a handler; `null` = it may be called. */
    of: (handler: string): Suspension | null => {
      const row = rows.get(handler);
      return row && clock.now() < row.until ? toSuspension(handler, row) : null;
    },
    /** Records the end of a call. */
    note: (handler: string, end: CallEnd): void => {
      if (end === 'timed-out') timedOut(handler);
      else if (end === 'failed') failed(handler);
      else if (end === 'returned') answered(handler);
      else {
        const row = rows.get(handler);
        if (row) row.timeouts = 0;
      }
    },
    /** The present suspensions. */
    list: (): readonly Suspension[] =>
      [...rows]
        .filter(([, row]) => clock.now() < row.until)
        .map(([handler, row]) => toSuspension(handler, row)),
    /** Ends all suspensions. */
    clear: (): void => {
      rows.clear();
      parts.onNone?.();
    },
  };
}

const noAnswer = 'gave no answer in time, three times in a row';
const onlyFailures = `failed ${mostFailures} times in a row`;
