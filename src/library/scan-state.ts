import { emptyCounts, type PageCounts } from './page-diff.ts';
import { parseRootProblems } from './root-witness.ts';
import { isMap } from './rows.ts';
import { parseAbsentPlugins, type AbsentPlugin } from './scan-doubt.ts';
import type { Withheld } from './scan-tally.ts';

/** What a scan looks for, and where. Extensions without dot, in lower case. */
export interface ScanPlan {
  readonly roots: readonly string[];
  readonly extensions: readonly string[];
  /** Extensions of what lies beside media and belongs to it; none of them is media. */
  readonly auxiliary: readonly string[];
  /** Globs relative to a root. */
  readonly patterns: readonly string[];
  /** The only places to look at; absent = all that is below the roots. */
  readonly folders?: readonly string[];
  readonly shallow?: readonly string[];
}

/** Where a scan stands: what is stored between two steps. */
export interface ScanState {
  readonly plan: ScanPlan;
  /** Whether the note of where a scan began is this one's, and goes with it. */
  readonly hasMarked: boolean;
  readonly counts: PageCounts;
  readonly withheld: readonly Withheld[];
  /** Plugins that should have said what to look for and did not. */
  readonly absent: readonly AbsentPlugin[];
  /** Files that were not called gone for their sake, by plugin. */
  readonly kept: Readonly<Record<string, number>>;
  /** The scanner's own checkpoint. */
  readonly walk: unknown;
}

/** Whether a scan looks at some places only. */
export function isPartial({ folders, shallow }: ScanPlan): boolean {
  return folders !== undefined || shallow !== undefined;
}

/** The state in a checkpoint; null when there is none, so that the scan starts over. */
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
    kept: parseKept(kept),
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

function parseKept(value: unknown): Readonly<Record<string, number>> {
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
