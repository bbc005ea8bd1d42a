/**
 * Changes of one library, gathered until it is time to look. A single change is looked at after a
 * second of quiet; while changes keep coming, after three seconds, and then ever more seldom up to
 * half a minute: so a file that is being copied for an hour is not scanned a thousand times, and is
 * right a second after its end.
 */
import type { Clock, Undo } from '../clock.ts';

/** What is known of a root since the last look. */
export interface RootChanges {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** What is to be looked at; `whole`: more than anybody can name. */
export interface Gathered {
  readonly isWhole: boolean;
  readonly byRoot: ReadonlyMap<string, RootChanges>;
}

/** One change. */
export interface Change {
  readonly uri: string;
  readonly kind: 'changed' | 'removed';
}

/** How a look ended; `later`: it could not be begun, and what was gathered is still to be looked at. */
export type LookEnd = 'begun' | 'later';

/** The gathering of one library. */
export interface GatheredChanges {
  readonly note: (root: string, changes: readonly Change[]) => void;
  /** Changes were lost: all is to be looked at. */
  readonly noteWhole: () => void;
  readonly stop: () => void;
}

const quietMs = 1000;
const firstPatienceMs = 3000;
const mostPatienceMs = 30_000;
const retryMs = 1000;
/** Above so many paths, they are not worth keeping. */
const mostPaths = 10_000;

/** Creates the gathering. `look` never rejects; the next one begins after it has ended. */
export function createGatheredChanges(parts: {
  readonly look: (gathered: Gathered) => Promise<LookEnd>;
  readonly clock: Clock;
}): GatheredChanges {
  const { look, clock } = parts;
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
    const end = await look(taken);
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

  function putBack(taken: Gathered): void {
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
    note(root, changes) {
      if (changes.length === 0) return;
      if (!isWhole) for (const change of changes) gather(root, change);
      if (isWhole) byRoot.clear();
      touch();
    },
    noteWhole() {
      isWhole = true;
      byRoot.clear();
      touch();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
