import type { ReconcileResult } from '../../plugin-api/index.ts';
import { addCounts, emptyCounts, type PageCounts } from './page-diff.ts';
import type { RootProblem } from './root-witness.ts';

/** Files that are not there and are not called gone, since their root is not what it was. */
export interface Withheld extends RootProblem {
  readonly files: number;
}

/** What pages of a library came to. */
export interface Tallied {
  readonly counts: PageCounts;
  readonly withheld: readonly Withheld[];
  /** Files that were not called gone since an absent plugin may list them, by plugin. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Counts what the pages of a library came to, between two looks of whoever runs the scan. */
export interface ScanTally {
  readonly add: (libraryId: string, counts: ReconcileResult) => void;
  readonly withhold: (libraryId: string, withheld: Withheld) => void;
  readonly keep: (libraryId: string, kept: ReadonlyMap<string, number>) => void;
  /** What came together since it was last taken. */
  readonly take: (libraryId: string) => Tallied;
}

export function createScanTally(): ScanTally {
  const sums = new Map<string, Tallied>();
  const sumOf = (libraryId: string): Tallied =>
    sums.get(libraryId) ?? { counts: emptyCounts(), withheld: [], kept: {} };
  return {
    add: (libraryId, counts) => {
      const sum = sumOf(libraryId);
      addCounts(sum.counts, counts);
      sums.set(libraryId, sum);
    },
    withhold: (libraryId, withheld) => {
      const sum = sumOf(libraryId);
      sums.set(libraryId, { ...sum, withheld: addWithheld(sum.withheld, [withheld]) });
    },
    keep: (libraryId, kept) => {
      const sum = sumOf(libraryId);
      sums.set(libraryId, { ...sum, kept: addKept(sum.kept, Object.fromEntries(kept)) });
    },
    take: (libraryId) => {
      const sum = sumOf(libraryId);
      sums.delete(libraryId);
      return sum;
    },
  };
}

/** Files by plugin, added up. */
export function addKept(
  sum: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const entries = Object.entries(more).map(([id, files]) => [id, (sum[id] ?? 0) + files] as const);
  return { ...sum, ...Object.fromEntries(entries) };
}

/** One entry for each root, with the files of all of them. */
export function addWithheld(
  sum: readonly Withheld[],
  more: readonly Withheld[],
): readonly Withheld[] {
  const byRoot = new Map(sum.map((one) => [one.uri, one]));
  for (const one of more) {
    const files = one.files + (byRoot.get(one.uri)?.files ?? 0);
    byRoot.set(one.uri, { ...one, files });
  }
  return [...byRoot.values()];
}
