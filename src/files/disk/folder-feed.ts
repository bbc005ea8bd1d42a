/**
 * The changes below one folder, numbered. A reader passes a cursor and gets the changes after it.
 * When changes were dropped, because the feed is limited or was restarted, the reader gets
 * `overflow` and must list the folder again, so no change is lost silently.
 */

/** One change, with the plain path from the watcher. */
export interface FolderChange {
  readonly path: string;
  readonly kind: 'changed' | 'removed';
}

/** The changes after a cursor. */
export interface FeedPage {
  readonly changes: readonly FolderChange[];
  readonly cursor: string;
  readonly overflow: boolean;
}

export type FolderFeed = ReturnType<typeof createFolderFeed>;

const keptChanges = 10_000;
const pageSize = 1000;

/** Creates a feed. `newEpoch` gives a unique text. */
export function createFolderFeed(newEpoch: () => string) {
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

  /** The changes after the cursor that pass the filter; at most a thousand. */
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
    /** Resolves at the next push or loss. */
    next: (): Promise<void> => wake.promise,
    push(changes: readonly FolderChange[]): void {
      kept.push(...changes);
      const excess = Math.max(0, kept.length - keptChanges);
      kept = excess > 0 ? kept.slice(excess) : kept;
      firstNumber += excess;
      announce();
    },
    /** Changes were lost: invalidates every cursor given so far. */
    lose(): void {
      epoch = newEpoch();
      kept = [];
      firstNumber = 0;
      announce();
    },
  };
}
