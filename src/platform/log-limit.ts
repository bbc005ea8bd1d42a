/**
 * Limits log lines of one kind to one in ten seconds, so that a full disk or a lost database does
 * not flood the log. The first line of a kind is written at once. Of those that follow within ten
 * seconds the last one is written at their end, with the number of the others as `leftOut`.
 */
import type { Clock } from './clock.ts';

export type LogLimit = ReturnType<typeof createLogLimit>;

interface Window {
  held: number;
  last: ((leftOut: number) => void) | null;
}

const quietMs = 10_000;
const mostKinds = 1000;
/** Stands for all kinds beyond the limit. */
const others = '…';

/** Creates the limit, with nothing written yet. */
export function createLogLimit({ after }: Pick<Clock, 'after'>) {
  const windows = new Map<string, Window>();

  function open(kind: string): void {
    const window: Window = { held: 0, last: null };
    windows.set(kind, window);
    after(quietMs, () => {
      windows.delete(kind);
      if (window.last === null) return;
      window.last(window.held - 1);
      open(kind);
    });
  }

  return {
    /** Writes a line now, later, or not; `write` gets the number of lines that were left out. */
    pass: (kind: string, write: (leftOut: number) => void): void => {
      const key = windows.has(kind) || windows.size < mostKinds ? kind : others;
      const window = windows.get(key);
      if (window === undefined) {
        open(key);
        write(0);
        return;
      }
      window.held += 1;
      window.last = write;
    },
  };
}

/** The fields that make two lines with the same text lines of two kinds. */
const telling = ['code', 'pluginId', 'libraryId', 'task', 'problem', 'subject', 'route'] as const;
const longestReason = 200;

/** The kind of a line, by its text, its subject and its error. */
export function kindOf(fields: unknown, message: unknown): string {
  const parts: unknown[] = [message];
  if (typeof fields === 'object' && fields !== null) {
    const known = new Map<string, unknown>(Object.entries(fields));
    parts.push(...telling.map((name) => known.get(name)));
    const err = known.get('err');
    if (err instanceof Error) parts.push(err.message.slice(0, longestReason));
  }
  return JSON.stringify(parts.map((part) => (typeof part === 'string' ? part : null)));
}
