import type { FileProblem, ReconcileResult } from '../../plugin-api/index.ts';

/** The progress of a scan, and where it continues. */
export interface ScanCheckpoint {
  /** Which root is being walked. */
  readonly root: number;
  /** Where the last page of it ended; `null` at its start. */
  readonly cursor: string | null;
  /** How much of that root is done, 0 to 1. */
  readonly progress: number;
  /** Whether the last page had changed; then the next one probably has, too. */
  readonly differs: boolean;
  /** Unreadable folders of that root that later pages may cover. */
  readonly unreadable: readonly string[];
  readonly counts: ScanCounts;
  /** The first problems, and the number of all. */
  readonly problems: readonly FileProblem[];
  readonly problemCount: number;
  /** Roots that could not be walked to their end. */
  readonly failedRoots: readonly string[];
}

/** Files by result, and the number of all. */
export type ScanCounts = Readonly<Required<ReconcileResult>>;

/** Before the first step. */
export const scanStart: ScanCheckpoint = {
  root: 0,
  cursor: null,
  progress: 0,
  differs: false,
  unreadable: [],
  counts: { files: 0, added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 },
  problems: [],
  problemCount: 0,
  failedRoots: [],
};

/** The checkpoint of the step before. With another format the scan starts again, which is safe. */
export function parseScanCheckpoint(value: unknown): ScanCheckpoint {
  return isCheckpoint(value) ? value : scanStart;
}

function isCheckpoint(value: unknown): value is ScanCheckpoint {
  if (!isMap(value)) return false;
  const { root, cursor, progress, differs, unreadable, counts } = value;
  const { problems, problemCount, failedRoots } = value;
  return (
    Number.isSafeInteger(root) &&
    (cursor === null || typeof cursor === 'string') &&
    typeof progress === 'number' &&
    typeof differs === 'boolean' &&
    [unreadable, problems, failedRoots].every(Array.isArray) &&
    typeof problemCount === 'number' &&
    isMap(counts) &&
    Object.keys(scanStart.counts).every((key) => typeof counts[key] === 'number')
  );
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maxProblems = 100;

/** Adds problems: the first are stored, all are counted. */
export function withProblems(
  state: ScanCheckpoint,
  problems: readonly FileProblem[],
): ScanCheckpoint {
  const room = Math.max(0, maxProblems - state.problems.length);
  return {
    ...state,
    problems: [...state.problems, ...problems.slice(0, room)],
    problemCount: state.problemCount + problems.length,
  };
}

/** Adds the result of a page. */
export function withPage(
  state: ScanCheckpoint,
  files: number,
  result: ReconcileResult,
): ScanCheckpoint {
  const { counts } = state;
  return {
    ...state,
    counts: {
      files: counts.files + files,
      added: counts.added + result.added,
      changed: counts.changed + result.changed,
      moved: counts.moved + result.moved,
      gone: counts.gone + result.gone,
      unchanged: counts.unchanged + result.unchanged,
    },
  };
}

/** The next root, from its start. */
export function atNextRoot(state: ScanCheckpoint): ScanCheckpoint {
  return { ...state, root: state.root + 1, cursor: null, progress: 0, unreadable: [] };
}

/** The next root after a failed one, whose files are not reported as gone. */
export function afterFailedRoot(
  state: ScanCheckpoint,
  root: string,
  problem: FileProblem,
): ScanCheckpoint {
  const failedRoots = [...state.failedRoots, root];
  return atNextRoot({ ...withProblems(state, [problem]), failedRoots });
}
