import { KernelError, type Log } from '../../../kernel/index.ts';
import { createFolderFeed, type FeedPage, type FolderFeed } from './folder-feed.ts';

/** An event of a watcher for one path. */
export interface WatchEvent {
  readonly path: string;
  readonly type: 'create' | 'update' | 'delete';
}

/**
 * Watches a tree; gives the function that stops it. Rejects when the system's watches are used up.
 */
export type WatchTree = (
  folder: string,
  listener: (error: Error | null, events: readonly WatchEvent[]) => void,
) => Promise<{ readonly unsubscribe: () => Promise<void> }>;

export interface FolderWatchesOptions {
  readonly watchTree: WatchTree;
  readonly newEpoch: () => string;
  readonly clock: () => number;
  readonly log: Log;
}

/** A request for changes. `root` and `folder` are plain real paths. */
export interface ChangesQuestion {
  readonly asker: string;
  readonly root: string;
  /** Identifies the folder at the root; a watch on another one is invalid. */
  readonly identity: string;
  readonly folder: string;
  readonly cursor: string | null;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Watches of roots, each shared by all callers that ask about paths below. */
export type FolderWatches = ReturnType<typeof createFolderWatches>;

/** A watch of one root. */
interface Watch {
  readonly identity: string;
  readonly feed: FolderFeed;
  readonly askers: Set<string>;
  readonly subscription: Promise<{ readonly unsubscribe: () => Promise<void> }>;
  askedAt: number;
}

/** A watch without requests for this long ends. */
const idleMs = 10 * 60_000;
/** How long a root that could not be watched is not tried again: each try walks the whole tree. */
const retryMs = 5 * 60_000;
const sweepMs = 60_000;

/** Creates the watches; each starts with the first request. */
export function createFolderWatches(options: FolderWatchesOptions) {
  const { watchTree, newEpoch, clock, log } = options;
  const watches = new Map<string, Watch>();
  const failedAt = new Map<string, number>();
  let sweeper: NodeJS.Timeout | null = null;

  function begin(root: string, identity: string): Watch {
    const feed = createFolderFeed(newEpoch);
    const subscription = watchTree(root, (error, events) => {
      if (error) feed.lose();
      else feed.push(events.map(toChange));
      // A moved folder keeps its watch, so this also covers a folder that comes back.
      const isGone = events.some(({ path, type }) => path === root && type === 'delete');
      if (isGone && watches.get(root) === watch) void end(root);
    });
    const watch: Watch = { identity, feed, askers: new Set(), subscription, askedAt: clock() };
    watches.set(root, watch);
    sweeper ??= setInterval(sweep, sweepMs).unref();
    return watch;
  }

  async function running(root: string, identity: string): Promise<Watch> {
    const former = watches.get(root);
    if (former && former.identity !== identity) await end(root);
    const refusedAt = failedAt.get(root);
    if (refusedAt !== undefined && clock() - refusedAt < retryMs) throw unwatchable();
    const watch = watches.get(root) ?? begin(root, identity);
    try {
      await watch.subscription;
      return watch;
    } catch (error) {
      if (watches.get(root) === watch) {
        watches.delete(root);
        failedAt.set(root, clock());
        log.warn({ err: error }, whyUnwatchable(error));
      }
      throw unwatchable(error);
    }
  }

  async function end(root: string): Promise<void> {
    const watch = watches.get(root);
    watches.delete(root);
    watch?.feed.lose();
    try {
      await (await watch?.subscription)?.unsubscribe();
    } catch (error) {
      log.debug({ err: error }, 'A watch of a root ended with an error.');
    }
  }

  function sweep(): void {
    for (const [root, { askedAt }] of watches) if (clock() - askedAt > idleMs) void end(root);
    for (const [root, at] of failedAt) if (clock() - at > retryMs) failedAt.delete(root);
    if (watches.size > 0 || sweeper === null) return;
    clearInterval(sweeper);
    sweeper = null;
  }

  return {
    async changes({
      asker,
      root,
      identity,
      folder,
      cursor,
      waitMs,
      signal,
    }: ChangesQuestion): Promise<FeedPage> {
      const watch = await running(root, identity);
      watch.askers.add(asker);
      const isBelow = (path: string): boolean => path === folder || path.startsWith(`${folder}/`);
      const from = cursor ?? watch.feed.after(null, isBelow).cursor;
      return waitForChanges({ watch, from, isBelow, waitMs, signal, clock });
    },
    /** The caller no longer needs this root. The watch ends when no caller needs it. */
    async unwatch(asker: string, root: string): Promise<void> {
      const watch = watches.get(root);
      watch?.askers.delete(asker);
      if (watch?.askers.size === 0) await end(root);
    },
    async close(): Promise<void> {
      if (sweeper) clearInterval(sweeper);
      sweeper = null;
      await Promise.all([...watches.keys()].map(end));
    },
  };
}

interface Wait {
  readonly watch: Watch;
  readonly from: string;
  readonly isBelow: (path: string) => boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly clock: () => number;
}

/** The first page with changes, or an empty one after the timeout. */
async function waitForChanges(wait: Wait): Promise<FeedPage> {
  const { watch, isBelow, waitMs, signal, clock } = wait;
  const { promise: isOver, resolve: giveUp } = Promise.withResolvers<unknown>();
  const stop = (): void => giveUp(null);
  const timer = setTimeout(stop, waitMs);
  signal.addEventListener('abort', stop);
  let isWaiting = waitMs > 0 && !signal.aborted;
  void isOver.then(() => {
    isWaiting = false;
  });
  try {
    let cursor = wait.from;
    for (;;) {
      const next = watch.feed.next();
      watch.askedAt = clock();
      const page = watch.feed.after(cursor, isBelow);
      if (page.changes.length > 0 || page.overflow || !isWaiting) return page;
      cursor = page.cursor;
      await Promise.race([next, isOver]);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function toChange({ path, type }: WatchEvent) {
  return { path, kind: type === 'delete' ? ('removed' as const) : ('changed' as const) };
}

function unwatchable(cause?: unknown): KernelError {
  return new KernelError('watch_unavailable', 'The folder', { cause });
}

/** The system reports "no space left on device" when its watches are used up. */
function whyUnwatchable(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  return /ENOSPC|EMFILE|no space left|too many open/i.test(text)
    ? 'The system has no watches left: raise fs.inotify.max_user_watches. Until then only scans find changes.'
    : 'A root cannot be watched for changes. Only scans find them.';
}
