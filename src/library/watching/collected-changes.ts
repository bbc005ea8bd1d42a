/**
 * Collects the changes of one library until a scan. A single change is scanned after a second of
 * quiet; while changes keep coming, after three seconds, then at growing intervals up to half a
 * minute. So a file that is copied for an hour does not cause a thousand scans, and is complete a
 * second after its end.
 */
import type { Clock, Undo } from '../../platform/clock.ts';

/** The changes of a root since the last scan. */
export interface RootChanges {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** The collected changes; `whole`: too many to list. */
export interface CollectedChanges {
  readonly isWhole: boolean;
  readonly byRoot: ReadonlyMap<string, RootChanges>;
}

export interface Change {
  readonly uri: string;
  readonly kind: 'changed' | 'removed';
}

/** The result of starting a scan; `later`: it could not start, and the changes are kept. */
export type ScanStart = 'begun' | 'later';

/** Collects changes of one library. */
export type ChangeCollector = ReturnType<typeof createChangeCollector>;

const quietMs = 1000;
const firstPatienceMs = 3000;
const mostPatienceMs = 30_000;
const retryMs = 1000;
/** Above this number single paths are dropped. */
const mostPaths = 10_000;

/** Creates it. `startScan` never rejects; the next call comes after it has ended. */
export function createChangeCollector(parts: {
  readonly startScan: (collected: CollectedChanges) => Promise<ScanStart>;
  readonly clock: Clock;
}) {
  const { startScan, clock } = parts;
  let byRoot = new Map<string, { changed: Set<string>; removed: Set<string> }>();
  let paths = 0;
  let isWhole = false;
  let since: number | null = null;
  let lastAt = 0;
  let patienceMs = firstPatienceMs;
  let isLooking = false;
  let isStopped = false;
  let cancel: Undo = () => undefined;

  function gather(root: string, { uri, kind }: Change): void {
    const known = byRoot.get(root) ?? { changed: new Set(), removed: new Set() };
    byRoot.set(root, known);
    known[kind].add(uri);
    known[kind === 'changed' ? 'removed' : 'changed'].delete(uri);
    paths += 1;
    if (paths > mostPaths) isWhole = true;
  }

  function touch(): void {
    const now = clock.now();
    since ??= now;
    lastAt = now;
    plan();
  }

  function plan(): void {
    if (isStopped || isLooking || since === null) return;
    cancel();
    const at = Math.min(lastAt + quietMs, since + patienceMs);
    cancel = clock.after(Math.max(0, at - clock.now()), () => void begin());
  }

  async function begin(): Promise<void> {
    const isQuiet = clock.now() - lastAt >= quietMs;
    patienceMs = isQuiet ? firstPatienceMs : Math.min(mostPatienceMs, patienceMs * 2);
    const taken = { isWhole, byRoot };
    byRoot = new Map();
    paths = 0;
    isWhole = false;
    since = null;
    isLooking = true;
    const end = await startScan(taken);
    isLooking = false;
    if (isStopped) return;
    if (end === 'begun') {
      plan();
      return;
    }
    putBack(taken);
    cancel();
    cancel = clock.after(retryMs, () => void begin());
  }

  function putBack(taken: CollectedChanges): void {
    isWhole ||= taken.isWhole;
    for (const [root, { changed, removed }] of taken.byRoot) {
      const later = byRoot.get(root) ?? { changed: new Set(), removed: new Set() };
      byRoot.set(root, later);
      for (const uri of changed) if (!later.removed.has(uri)) later.changed.add(uri);
      for (const uri of removed) if (!later.changed.has(uri)) later.removed.add(uri);
      paths += changed.size + removed.size;
    }
    since ??= clock.now();
  }

  return {
    note(root: string, changes: readonly Change[]): void {
      if (changes.length === 0) return;
      if (!isWhole) for (const change of changes) gather(root, change);
      if (isWhole) byRoot.clear();
      touch();
    },
    /** Changes were lost: the whole library must be scanned. */
    noteWhole(): void {
      isWhole = true;
      byRoot.clear();
      touch();
    },
    stop(): void {
      isStopped = true;
      cancel();
    },
  };
}
