import { emptyCounts, type PageCounts } from './page-diff.ts';
import { parseRootProblems } from './root-health.ts';
import { isMap } from '../tables/rows.ts';
import { parseAbsentPlugins, type AbsentPlugin } from './scan-doubt.ts';
import type { Withheld } from './scan-tally.ts';

/** What a scan looks for, and where. Extensions are lower case, without dot. */
export interface ScanPlan {
  readonly roots: readonly string[];
  readonly extensions: readonly string[];
  /** Extensions of auxiliary files; disjoint from those of media. */
  readonly auxiliary: readonly string[];
  /** Globs relative to a root. */
  readonly patterns: readonly string[];
  /** The only folders to scan; absent = everything below the roots. */
  readonly folders?: readonly string[];
  readonly shallow?: readonly string[];
}

/** The state of a scan, stored between two steps. */
export interface ScanState {
  readonly plan: ScanPlan;
  /** Whether this scan set the mark of where it began, and removes it. */
  readonly hasMarked: boolean;
  readonly counts: PageCounts;
  readonly withheld: readonly Withheld[];
  /** Plugins that should have said what to look for and did not. */
  readonly absent: readonly AbsentPlugin[];
  /** How many files were not marked as gone because of them, by plugin. */
  readonly kept: Readonly<Record<string, number>>;
  /** The scanner's own checkpoint. */
  readonly walk: unknown;
}

/** Whether a scan covers some folders only. */
export function isPartial({ folders, shallow }: ScanPlan): boolean {
  return folders !== undefined || shallow !== undefined;
}

/**
 * The state in a checkpoint; null when there is none, so that the scan starts from the beginning.
 */
export function parseScanState(checkpoint: unknown): ScanState | null {
  if (!isMap(checkpoint)) return null;
  const { plan, hasMarked, counts, withheld, absent, kept, walk } = checkpoint;
  if (!isMap(plan)) return null;
  const roots = textsOf(plan['roots']);
  if (roots.length === 0) return null;
  return {
    plan: {
      roots,
      extensions: textsOf(plan['extensions']),
      auxiliary: textsOf(plan['auxiliary']),
      patterns: textsOf(plan['patterns']),
      ...(Array.isArray(plan['folders']) && { folders: textsOf(plan['folders']) }),
      ...(Array.isArray(plan['shallow']) && { shallow: textsOf(plan['shallow']) }),
    },
    hasMarked: hasMarked !== false,
    counts: parseCounts(counts),
    withheld: parseWithheld(withheld),
    absent: parseAbsentPlugins(absent),
    kept: parseKeptCounts(kept),
    walk: walk ?? null,
  };
}

function parseCounts(value: unknown): PageCounts {
  const counts = emptyCounts();
  if (!isMap(value)) return counts;
  for (const key of ['added', 'changed', 'moved', 'gone', 'unchanged'] as const) {
    const count = value[key];
    if (typeof count === 'number') counts[key] = count;
  }
  return counts;
}

function parseKeptCounts(value: unknown): Readonly<Record<string, number>> {
  if (!isMap(value)) return {};
  const entries = Object.entries(value).filter(([, files]) => typeof files === 'number');
  return Object.fromEntries(entries) as Readonly<Record<string, number>>;
}

function parseWithheld(value: unknown): readonly Withheld[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    const files = isMap(one) ? Number(one['files']) : 0;
    return parseRootProblems([one]).map((problem) => ({ ...problem, files: files || 0 }));
  });
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((text) => typeof text === 'string');
}
