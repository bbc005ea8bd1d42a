/**
 * The changes below one folder, numbered. A reader holds a cursor and asks for what came after it;
 * what it missed because the feed keeps only so much, or because the feed was begun anew, it is told
 * as `overflow`: then only a fresh listing tells the truth, and nothing is lost silently.
 */

/** One change, by the plain path that the watcher gave. */
export interface FolderChange {
  readonly path: string;
  readonly kind: 'changed' | 'removed';
}

/** What came after a cursor. */
export interface FeedPage {
  readonly changes: readonly FolderChange[];
  readonly cursor: string;
  readonly overflow: boolean;
}

/** The feed of one folder. */
export interface FolderFeed {
  readonly push: (changes: readonly FolderChange[]) => void;
  /** Changes were lost: every cursor given so far is worth nothing. */
  readonly lose: () => void;
  /** What came after the cursor and passes the filter; at most a thousand changes. */
  readonly after: (cursor: string | null, filter: (path: string) => boolean) => FeedPage;
  /** Resolves at the next push or loss. */
  readonly next: () => Promise<void>;
}

const keptChanges = 10_000;
const pageSize = 1000;

/** Creates a feed. `newEpoch` gives a text that no earlier feed had. */
export function createFolderFeed(newEpoch: () => string): FolderFeed {
  let epoch = newEpoch();
  let kept: FolderChange[] = [];
  let firstNumber = 0;
  let wake = Promise.withResolvers<undefined>();

  const cursorAt = (number: number): string => `${epoch}.${number}`;
  const end = (): number => firstNumber + kept.length;

  function announce(): void {
    wake.resolve(undefined);
    wake = Promise.withResolvers();
  }

  function after(cursor: string | null, filter: (path: string) => boolean): FeedPage {
    if (cursor === null) return { changes: [], cursor: cursorAt(end()), overflow: false };
    const [cursorEpoch, text] = cursor.split('.');
    const from = Number(text);
    if (cursorEpoch !== epoch || !(from >= firstNumber && from <= end())) {
      return { changes: [], cursor: cursorAt(end()), overflow: true };
    }
    const changes: FolderChange[] = [];
    let number = from;
    for (; number < end() && changes.length < pageSize; number += 1) {
      const change = kept[number - firstNumber];
      if (change && filter(change.path)) changes.push(change);
    }
    return { changes, cursor: cursorAt(number), overflow: false };
  }

  return {
    after,
    next: () => wake.promise,
    push(changes) {
      kept.push(...changes);
      const excess = Math.max(0, kept.length - keptChanges);
      kept = excess > 0 ? kept.slice(excess) : kept;
      firstNumber += excess;
      announce();
    },
    lose() {
      epoch = newEpoch();
      kept = [];
      firstNumber = 0;
      announce();
    },
  };
}
