import { readdir, readFile } from 'node:fs/promises';
import type { Clock } from '../../platform/clock.ts';
import type { FoundProblem, ProblemCode } from '../../platform/problems/index.ts';
import { say } from '../../platform/text.ts';

export interface OpenFilesParts {
  readonly report: (codes: readonly ProblemCode[], found: readonly FoundProblem[]) => void;
  /** The monotonic clock. */
  readonly clock: Pick<Clock, 'now'>;
  /** For tests: the files and connections of another process. */
  readonly count?: () => Promise<number>;
  readonly limit?: () => Promise<number | null>;
}

const everyMs = 5000;
const mostShare = 0.85;

/**
 * Watches how many files and connections the process has open. Without a free one the system turns
 * new clients away, and no request of theirs arrives.
 */
export function createOpenFilesWatch(parts: OpenFilesParts): () => undefined | Promise<undefined> {
  const { report, clock, count = countOpen, limit = mostOpen } = parts;
  let most: Promise<number | null> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<undefined> {
    // Read once, while there is a free one.
    const allowed = await (most ??= limit().catch(() => null));
    if (allowed === null) return;
    // The list of them is one more; where it cannot be opened, none is free.
    const open = await count().catch(() => allowed);
    const isNearlyAll = open > mostShare * allowed;
    report(['open_files'], isNearlyAll ? [nearlyAll(open, allowed)] : []);
  }

  return () => {
    if (clock.now() - lookedAt < everyMs) return undefined;
    lookedAt = clock.now();
    return look();
  };
}

const countOpen = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

/** `null` = the system has no limit, or does not tell. */
async function mostOpen(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return Number.isFinite(most) ? most : null;
}

const nearlyAll = (open: number, most: number): FoundProblem => ({
  code: 'open_files',
  subject: { type: 'server', id: 'open files' },
  message: say('files.nearlyUsedUp'),
  detail: say('files.openOfMost', { open, most }),
  action: say('files.moreFiles'),
});
