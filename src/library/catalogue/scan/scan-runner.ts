import type { Log } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { JobRunResult, ScanEventData } from '../../../../plugin-api/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { JobRunner } from '../../../work/jobs/index.ts';
import { lastNumber } from '../tables/counter-store.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from '../tables/library-store.ts';
import { addCounts, emptyCounts, type PageCounts } from './page-diff.ts';
import type { RootHealth } from './root-health.ts';
import { doubtOf, type AbsentPlugin, type ScanDoubts } from './scan-doubt.ts';
import { measureTables } from './measure-tables.ts';
import { ScanEnd } from './scan-end.ts';
import { parsePlaces } from './scan-places.ts';
import type { Prepared } from './scan-preparation.ts';
import { parseScanState, type ScanState } from './scan-state.ts';
import { addKept, addWithheld, type ScanTally } from './scan-tally.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

export interface ScanRunnerParts {
  readonly database: Database;
  /** Runs one step of the plugin that provides scans. */
  readonly scanner: JobRunner;
  /** Collects what to look for. */
  readonly prepare: (library: LibraryRow, signal: AbortSignal) => Promise<Prepared>;
  readonly doubts: ScanDoubts;
  readonly tally: ScanTally;
  readonly rootHealth: Pick<RootHealth, 'problemsOf' | 'remember'>;
  /** The types of libraries that plugins here find files for. */
  readonly libraryTypes: () => readonly string[];
  /** Called when the stored problems of a library may have changed. */
  readonly onProblems: () => void;
  readonly emit: EmitLibraryEvent;
  readonly now: () => number;
  readonly log: Log;
}

const progressEveryMs = 250;

/**
 * Runs scans: collects what to look for, then calls the scanner plugin step by step. What to look
 * for is stored in the checkpoint, so a scan that resumes after a crash looks for the same.
 */
export function createScanRunner(parts: ScanRunnerParts): JobRunner {
  const { database, scanner, doubts, tally, emit, now } = parts;
  const scanEnd = new ScanEnd(parts);
  const emittedAt = new Map<string, number>();

  /** `null` when the job ends before it begins. */
  async function begin(
    job: Job,
    library: LibraryRow,
    signal: AbortSignal,
  ): Promise<ScanState | null> {
    const places = parsePlaces(job.payload, rootsOf(library));
    const prepared = await parts.prepare(library, signal);
    if (signal.aborted) return null;
    for (const one of prepared.absent) tellAbsent(library, one);
    const plan = { ...prepared.plan, ...places };
    const hasMarked = await mark(library, await lastNumber(database.read));
    tally.take(library.id);
    const { absent } = prepared;
    emit('library.scan.started', {
      ...eventOf(job, library.id, emptyCounts()),
      ...absentOf(absent),
    });
    return { plan, hasMarked, counts: emptyCounts(), withheld: [], absent, kept: {}, walk: null };
  }

  function tellAbsent({ id: libraryId, name }: LibraryRow, absent: AbsentPlugin): void {
    const { pluginId, code, reason } = absent;
    const what = `Plugin ${pluginId} did not say what to look for in ${name}, so files that it may list are not marked as missing.`;
    parts.log.warn({ libraryId, pluginId, code }, `${what} ${reason}`);
  }

  /**
   * Records where the scan began, and returns whether it did. A scan that was interrupted has left
   * its own mark: its new files still count as new, and its missing files may still turn up.
   */
  async function mark(library: LibraryRow, madeAfter: number): Promise<boolean> {
    if (library.scan_after !== null) return false;
    const columns = { scan_after: madeAfter, scan_began_at: now() };
    await database.write((trx) => updateLibrary(trx, library.no, columns));
    return true;
  }

  function tellProgress(job: Job, libraryId: string, counts: PageCounts): void {
    // Absolute, so that a clock that was set back does not suppress progress.
    if (Math.abs(now() - (emittedAt.get(job.id) ?? 0)) < progressEveryMs) return;
    emittedAt.set(job.id, now());
    emit('library.scan.progress', eventOf(job, libraryId, counts));
  }

  async function finish(
    job: Job,
    library: LibraryRow,
    state: ScanState,
    answer: Readonly<Record<string, unknown>>,
  ): Promise<JobRunResult> {
    const result = await scanEnd.finish(library, state, answer);
    emittedAt.delete(job.id);
    doubts.end(library.id);
    emit('library.scan.completed', {
      ...eventOf(job, library.id, state.counts),
      ...absentOf(state.absent),
    });
    return { done: true, result: { ...countsOf(state.counts), ...result, ...absentIn(state) } };
  }

  return {
    ...(scanner.pluginFor && { pluginFor: scanner.pluginFor }),
    checkPayload: async (payload, libraryId) => {
      const { folders, shallow } = payload;
      if (folders === undefined && shallow === undefined) return;
      if (libraryId !== null) parsePlaces(payload, rootsOf(await libraryOf(libraryId)));
      else
        throw new AppError('invalid_request', {
          what: 'libraryId must be the library of the folders in the payload.',
        });
    },
    step: async (job, checkpoint, signal) => {
      const library = await libraryOf(job.libraryId);
      const before = parseScanState(checkpoint);
      const state = before ?? (await begin(job, library, signal));
      if (state === null) return { done: false, progress: 0, checkpoint: null };
      if (state.absent.length > 0) doubts.set(library.id, doubtOf(state.plan, state.absent));
      const asked = { ...job, payload: { ...state.plan } };
      const answer = await scanner.step(asked, state.walk, signal);
      const tallied = tally.take(library.id);
      const counts = { ...state.counts };
      addCounts(counts, tallied.counts);
      const withheld = addWithheld(state.withheld, tallied.withheld);
      const kept = addKept(state.kept, tallied.kept);
      const reached = { ...state, counts, withheld, kept };
      if (answer.done) return finish(job, library, reached, answer.result ?? {});
      await measureTables(database, { before: state.counts.added, after: counts.added });
      tellProgress(job, library.id, counts);
      return {
        done: false,
        progress: answer.progress,
        checkpoint: { ...reached, walk: answer.checkpoint },
      };
    },
    ended: async (job) => {
      emittedAt.delete(job.id);
      const { libraryId, status, errorMessage } = job;
      if (libraryId !== null) doubts.end(libraryId);
      if (status !== 'failed' || libraryId === null) return;
      const library = await findLibrary(database.read, libraryId);
      if (library) await scanEnd.fail(library, errorMessage ?? 'The scan failed.');
    },
  };

  async function libraryOf(libraryId: string | null): Promise<LibraryRow> {
    if (libraryId === null)
      throw new AppError('invalid_request', { what: 'A scan needs a libraryId.' });
    const library = await findLibrary(database.read, libraryId);
    if (library) return library;
    throw new AppError('not_found', { what: `Library ${libraryId}` });
  }
}

/** The plugins that did not answer, for the events of the scan; empty when all did. */
function absentOf(absent: readonly AbsentPlugin[]): Pick<ScanEventData, 'absentPlugins'> {
  if (absent.length === 0) return {};
  return { absentPlugins: absent.map(({ pluginId, code }) => ({ pluginId, code })) };
}

/**
 * The plugins that did not answer, why, and how many files were kept for that; empty when all did.
 */
function absentIn({ absent, kept }: ScanState): object {
  if (absent.length === 0) return {};
  const absentPlugins = absent.map(({ pluginId, code, reason }) => ({
    pluginId,
    code,
    reason,
    keptFiles: kept[pluginId] ?? 0,
  }));
  return { absentPlugins };
}

function countsOf({
  added,
  changed,
  moved,
  gone,
  unchanged,
}: PageCounts): Omit<ScanEventData, 'libraryId' | 'jobId'> {
  return { found: added + changed + moved + unchanged, added, changed, moved, gone };
}

function eventOf(job: Job, libraryId: string, counts: PageCounts): ScanEventData {
  return { libraryId, jobId: job.id, ...countsOf(counts) };
}
