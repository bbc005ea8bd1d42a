import type { ReconcileResult } from '../../../../plugin-api/index.ts';
import { addCounts, emptyCounts, type PageCounts } from './page-diff.ts';
import type { RootProblem } from '../../../contract/resources/library/libraries.ts';

/** Files that are absent but not marked as gone, since their root has a problem. */
export interface Withheld extends RootProblem {
  readonly files: number;
}

/** The summed results of pages of a library. */
export interface Tallied {
  readonly counts: PageCounts;
  readonly withheld: readonly Withheld[];
  /** How many files were not marked as gone since an absent plugin may list them, by plugin. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Sums up the results of the pages of a library until the scan takes them. */
export type ScanTally = ReturnType<typeof createScanTally>;

export function createScanTally() {
  const sums = new Map<string, Tallied>();
  const sumOf = (libraryId: string): Tallied =>
    sums.get(libraryId) ?? { counts: emptyCounts(), withheld: [], kept: {} };
  return {
    add: (libraryId: string, counts: ReconcileResult): void => {
      const sum = sumOf(libraryId);
      addCounts(sum.counts, counts);
      sums.set(libraryId, sum);
    },
    withhold: (libraryId: string, withheld: Withheld): void => {
      const sum = sumOf(libraryId);
      sums.set(libraryId, { ...sum, withheld: addWithheld(sum.withheld, [withheld]) });
    },
    keep: (libraryId: string, kept: ReadonlyMap<string, number>): void => {
      const sum = sumOf(libraryId);
      sums.set(libraryId, { ...sum, kept: addKept(sum.kept, Object.fromEntries(kept)) });
    },
    /** The sum since the last call. */
    take: (libraryId: string): Tallied => {
      const sum = sumOf(libraryId);
      sums.delete(libraryId);
      return sum;
    },
  };
}

/** Adds up files by plugin. */
export function addKept(
  sum: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const entries = Object.entries(more).map(([id, files]) => [id, (sum[id] ?? 0) + files] as const);
  return { ...sum, ...Object.fromEntries(entries) };
}

/** One entry per root, with the sum of its files. */
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
