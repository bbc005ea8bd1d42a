/**
 * The failures of one plugin: each is counted and logged. Guarantee: the log stays readable however
 * often a plugin fails. Of similar failures, five per minute get a line, and one more line gives the
 * number of the rest; a missing handler gets one line a day.
 */
import type { Failure, FailureKind } from '../../call/failure.ts';
import { guestWords } from '../../foreign-text.ts';
import type { Clock } from '../plugin/clock.ts';
import type { LogLevel, PluginLog } from './plugin-log.ts';

/** How often one handler failed. */
export interface HandlerFailures {
  readonly handler: string;
  readonly count: number;
  /** Of the latest failure. */
  readonly kind: FailureKind;
  readonly message: string;
  /** ISO 8601. */
  readonly lastAt: string;
}

/** Failures since the server started. */
export interface FailureCounts {
  readonly total: number;
  /** Kinds without a failure are absent. */
  readonly kinds: Readonly<Partial<Record<FailureKind, number>>>;
  /** The latest first. */
  readonly handlers: readonly HandlerFailures[];
}

/** A plugin that fails often. */
export interface OftenFailing {
  /** In how many minutes. */
  readonly minutes: number;
  readonly count: number;
  readonly last: Failure;
}

/** A plugin that fails often. */
export interface FailingPlugin extends OftenFailing {
  readonly pluginId: string;
  readonly name: string;
}

/** The failure log of one plugin. */
export type FailureLog = ReturnType<typeof createFailureLog>;

export interface FailureLogParts {
  readonly clock: Clock;
  readonly log: Pick<PluginLog, 'write'>;
  /** Called at the fifth failure in ten minutes; again only after a calm period. */
  readonly onOften: (often: OftenFailing) => void;
}

interface Window {
  lines: number;
  surplus: number;
}

const often = { count: 5, minutes: 10 } as const;
const minuteMs = 60_000;
const mostLines = 5;
const mostHandlers = 200;
const longestHandler = 200;
/** Stands for all names beyond the limit. */
const others = '…';

/** Creates an empty log. */
export function createFailureLog({ clock, log, onOften }: FailureLogParts) {
  const kinds = new Map<FailureKind, number>();
  const handlers = new Map<string, { count: number; at: number; last: Failure }>();
  const windows = new Map<string, Window>();
  const latest: number[] = [];
  let total = 0;
  let isTold = false;

  /** Counts a failure that is already in the log. */
  function count(given: Failure): Failure {
    const failure = { ...given, handler: keptName(given.handler) };
    const { kind, handler } = failure;
    const at = clock.now();
    total += 1;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const before = handlers.get(handler)?.count ?? 0;
    // Inserted again as the last entry, so that the first entry is the oldest.
    handlers.delete(handler);
    handlers.set(handler, { count: before + 1, at, last: failure });
    // An admin who made the plugin an observer knows this already.
    if (kind !== 'delta-not-granted') watch(failure, at);
    return failure;
  }

  /** Plugins can invent event names without limit. */
  function keptName(name: string): string {
    const handler = guestWords(name, longestHandler);
    return handlers.has(handler) || handlers.size < mostHandlers ? handler : others;
  }

  function watch(last: Failure, at: number): void {
    latest.push(at);
    if (latest.length > often.count) latest.shift();
    const first = latest[0] ?? at;
    const isOften = latest.length === often.count && at - first <= often.minutes * minuteMs;
    if (isOften && !isTold) onOften({ count: often.count, minutes: often.minutes, last });
    isTold = isOften;
  }

  /** Whether the failure gets a line; others are counted until their window ends. */
  function admit({ kind, handler }: Failure): boolean {
    const key = `${kind} ${handler}`;
    const isMissing = kind === 'unknown-handler';
    const known = windows.get(key);
    if (known) {
      known.lines += 1;
      if (known.lines <= (isMissing ? 1 : mostLines)) return true;
      known.surplus += 1;
      return false;
    }
    const opened: Window = { lines: 1, surplus: 0 };
    windows.set(key, opened);
    clock.after(isMissing ? 24 * 60 * minuteMs : minuteMs, () => {
      windows.delete(key);
      if (opened.surplus > 0) {
        const text = `And ${opened.surplus} more like it: ${handler} (${kind}).`;
        log.write(levelOf(kind), text);
      }
    });
    return true;
  }

  async function write(failure: Failure, places: () => Promise<readonly string[]>): Promise<void> {
    const stack = await places().catch(() => []);
    log.write(levelOf(failure.kind), textOf(failure, stack), { ...toLine(failure), stack });
  }

  return {
    count,
    /** Counts and logs a failure, with the places in the plugin's file that it came from. */
    note: (given: Failure, places?: () => Promise<readonly string[]>): void => {
      const failure = count(given);
      if (!admit(failure)) return;
      if (places) void write(failure, places);
      else log.write(levelOf(failure.kind), textOf(failure, []), { ...toLine(failure), stack: [] });
    },
    counts: (): FailureCounts => ({
      total,
      kinds: Object.fromEntries(kinds),
      handlers: [...handlers].reverse().map(([handler, { count: times, at, last }]) => ({
        handler,
        count: times,
        kind: last.kind,
        message: last.message,
        lastAt: new Date(at).toISOString(),
      })),
    }),
  };
}

function levelOf(kind: FailureKind): LogLevel {
  return kind === 'threw' || kind === 'timed-out' || kind === 'lost' ? 'error' : 'warn';
}

const toLine = ({ kind, handler, message, durationMs }: Failure) => ({
  kind,
  handler,
  message,
  durationMs: durationMs === null ? null : Math.round(durationMs * 10) / 10,
});

const words: Readonly<Record<FailureKind, string>> = {
  threw: 'threw',
  'timed-out': 'timed out',
  'unknown-handler': 'is missing',
  'reply-refused': 'gave an answer that is refused',
  'delta-refused': 'gave a delta that is refused',
  'delta-not-granted': 'gave a delta that is dropped',
  'call-refused': 'was refused',
  lost: 'was cut off',
  crashed: 'crashed',
};

function textOf(failure: Failure, stack: readonly string[]): string {
  const { kind, handler, message, durationMs } = toLine(failure);
  const took = durationMs === null ? '' : ` after ${durationMs} ms`;
  const where = stack.map((place) => ` at ${place}`).join('');
  return `${handler} ${words[kind]}${took}: ${message}${where}`;
}
