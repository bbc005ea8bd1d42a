/**
 * Follows one root while it is needed. Guarantees: it never gives up, and it reports when it does
 * not receive changes; when it receives them again, all of the root counts as changed.
 */
import { KernelError } from '../../../kernel/index.ts';
import type { DiskChanges } from '../../../plugin-api/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { Change } from './collected-changes.ts';

/**
 * Why changes of a root are not received: it cannot be watched, is unavailable, or has no plugin.
 */
export type WatchFailure = 'unwatchable' | 'away' | 'unserved';

/** What following a root needs. */
export interface RootWatchParts {
  readonly root: string;
  readonly watch: (cursor: string | null, waitMs: number) => Promise<DiskChanges>;
  /** How long one request may wait for changes; 0 = poll. */
  readonly patience: () => number;
  readonly changed: (changes: readonly Change[]) => void;
  /** Changes may have been lost. */
  readonly onMissed: () => void;
  /** Whether it receives only changes of this machine. Called with each page. */
  readonly onPartial: (isHalf: boolean) => void;
  /**
   * It does not receive changes (with the reason), or does again (`null`). Called on each
   * transition.
   */
  readonly onFailure: (why: WatchFailure | null) => void;
  readonly clock: Clock;
}

/** The pause before a retry, at first and at most. */
const retries: Readonly<Record<WatchFailure, readonly [firstMs: number, mostMs: number]>> = {
  unwatchable: [300_000, 300_000],
  away: [1000, 30_000],
  unserved: [500, 30_000],
};
/** Shorter interruptions, such as a restart of the plugin, are not reported. */
const tellAfterMs = 15_000;
const askEveryMs = 1000;

/** Starts to follow; the undo stops it. */
export function followRoot(parts: RootWatchParts): Undo {
  const { root, watch, clock } = parts;
  let isStopped = false;
  let cancelPause: Undo = () => undefined;
  let endPause: () => void = () => undefined;
  let reported: WatchFailure | null = null;
  let blindSince: number | null = null;
  let pauseMs = 0;

  function pause(ms: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    endPause = () => resolve(null);
    cancelPause = clock.after(ms, endPause);
    return promise;
  }

  function tell(why: WatchFailure | null): void {
    if (reported === why) return;
    reported = why;
    parts.onFailure(why);
  }

  function sees(): void {
    if (blindSince !== null) parts.onMissed();
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
    if (page.overflow || isRootGone) parts.onMissed();
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
        parts.onPartial(page.isHalf === true);
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

function blindnessOf(error: unknown): WatchFailure {
  const code = error instanceof KernelError ? error.code : null;
  if (code === 'watch_unavailable') return 'unwatchable';
  if (code === 'not_found' || code === 'unreadable' || code === 'outside_root') return 'away';
  return 'unserved';
}
