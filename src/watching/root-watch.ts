/**
 * Follows one root for as long as it is wanted. Guarantees: it never gives up, and while it does not
 * see changes it says so; when it sees again after it did not, all of the root counts as changed.
 */
import { KernelError } from '../../kernel/index.ts';
import type { DiskChanges } from '../../plugin-api/index.ts';
import type { Clock, Undo } from '../clock.ts';
import type { Change } from './gathered-changes.ts';

/** Why nobody sees the changes of a root: it cannot be watched, it is away, or nobody serves it. */
export type Blindness = 'unwatchable' | 'away' | 'unserved';

/** What following a root needs. */
export interface RootWatchParts {
  readonly root: string;
  readonly watch: (cursor: string | null, waitMs: number) => Promise<DiskChanges>;
  /** How long one question may wait for changes; 0 = ask again and again. */
  readonly patience: () => number;
  readonly changed: (changes: readonly Change[]) => void;
  /** Changes may have been missed. */
  readonly missed: () => void;
  /** Whether it hears only of changes that this machine makes. Told with each page. */
  readonly seesHalf: (isHalf: boolean) => void;
  /** It does not see, or sees again (`null`). Told once for each change of that. */
  readonly blind: (why: Blindness | null) => void;
  readonly clock: Clock;
}

/** How soon what failed is tried again, the first time and at most. */
const retries: Readonly<Record<Blindness, readonly [firstMs: number, mostMs: number]>> = {
  unwatchable: [300_000, 300_000],
  away: [1000, 30_000],
  unserved: [500, 30_000],
};
/** A plugin that restarts is back in a moment; only what lasts is told. */
const tellAfterMs = 15_000;
const askEveryMs = 1000;

/** Begins to follow; the undo ends it. */
export function followRoot(parts: RootWatchParts): Undo {
  const { root, watch, clock } = parts;
  let isStopped = false;
  let cancelPause: Undo = () => undefined;
  let endPause: () => void = () => undefined;
  let told: Blindness | null = null;
  let blindSince: number | null = null;
  let pauseMs = 0;

  function pause(ms: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    endPause = () => resolve(null);
    cancelPause = clock.after(ms, endPause);
    return promise;
  }

  function tell(why: Blindness | null): void {
    if (told === why) return;
    told = why;
    parts.blind(why);
  }

  function sees(): void {
    if (blindSince !== null) parts.missed();
    blindSince = null;
    pauseMs = 0;
    tell(null);
  }

  async function fails(error: unknown): Promise<void> {
    const why = blindnessOf(error);
    const [firstMs, mostMs] = retries[why];
    const now = clock.now();
    blindSince ??= now;
    if (why !== 'unserved' || now - blindSince >= tellAfterMs) tell(why);
    pauseMs = Math.min(mostMs, Math.max(firstMs, pauseMs * 2));
    await pause(pauseMs);
  }

  function take(page: DiskChanges): void {
    const isRootGone = page.changes.some(({ uri, kind }) => uri === root && kind === 'removed');
    if (page.overflow || isRootGone) parts.missed();
    else parts.changed(page.changes);
  }

  async function follow(): Promise<void> {
    let cursor: string | null = null;
    while (!isStopped) {
      try {
        const waitMs = cursor === null ? 0 : parts.patience();
        const page: DiskChanges = await watch(cursor, waitMs);
        if (stopped()) return;
        sees();
        parts.seesHalf(page.isHalf === true);
        take(page);
        const isBegun = cursor !== null;
        cursor = page.cursor;
        if (isBegun && waitMs === 0) await pause(askEveryMs);
      } catch (error) {
        if (stopped()) return;
        cursor = null;
        await fails(error);
      }
    }
  }

  const stopped = (): boolean => isStopped;
  void follow();
  return () => {
    isStopped = true;
    cancelPause();
    endPause();
  };
}

function blindnessOf(error: unknown): Blindness {
  const code = error instanceof KernelError ? error.code : null;
  if (code === 'watch_unavailable') return 'unwatchable';
  if (code === 'not_found' || code === 'unreadable' || code === 'outside_root') return 'away';
  return 'unserved';
}
