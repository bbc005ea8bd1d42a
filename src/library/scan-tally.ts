import type { ReconcileResult } from '../../plugin-api/index.ts';
import { addCounts, emptyCounts, type PageCounts } from './page-diff.ts';

/** Counts what the pages of a library came to, between two looks of whoever runs the scan. */
export interface ScanTally {
  readonly add: (libraryId: string, counts: ReconcileResult) => void;
  /** What came together since it was last taken. */
  readonly take: (libraryId: string) => PageCounts;
}

export function createScanTally(): ScanTally {
  const sums = new Map<string, PageCounts>();
  return {
    add: (libraryId, counts) => {
      const sum = sums.get(libraryId) ?? emptyCounts();
      addCounts(sum, counts);
      sums.set(libraryId, sum);
    },
    take: (libraryId) => {
      const sum = sums.get(libraryId) ?? emptyCounts();
      sums.delete(libraryId);
      return sum;
    },
  };
}
