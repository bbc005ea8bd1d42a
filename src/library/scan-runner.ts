import { isNotGranted, type CallPlugin, type Database, type Log } from '../../kernel/index.ts';
import type {
  Capability,
  JobRunResult,
  ScanEventData,
  ScanPrepareInput,
} from '../../plugin-api/index.ts';
import { AppError } from '../errors.ts';
import type { Job, JobRunner } from '../jobs/index.ts';
import { lastNumber } from './counter-store.ts';
import type { EmitLibraryEvent } from './library-events.ts';
import { findLibrary, rootsOf, updateLibrary, type LibraryRow } from './library-store.ts';
import { addCounts, emptyCounts, type PageCounts } from './page-diff.ts';
import { isMap } from './rows.ts';
import type { RootWitness } from './root-witness.ts';
import { createScanEnd } from './scan-end.ts';
import { parsePlaces } from './scan-places.ts';
import { parseScanState, readExtensions, type ScanPlan, type ScanState } from './scan-state.ts';
import { addWithheld, type ScanTally } from './scan-tally.ts';
import { schemeOf } from './root-uri.ts';

/** The chain that decides what a scan looks for. */
export interface ScanHookChain {
  readonly run: (
    name: 'pipeline.scan.prepare',
    input: ScanPrepareInput,
    about: { readonly libraryId: string },
  ) => Promise<{
    readonly output: {
      readonly extensions?: readonly string[];
      readonly patterns?: readonly string[];
    };
  }>;
}

export interface ScanRunnerParts {
  readonly database: Database;
  /** Runs one step of the plugin that provides scans. */
  readonly scanner: JobRunner;
  readonly hooks: ScanHookChain;
  readonly call: CallPlugin;
  readonly providers: (capability: Capability) => readonly string[];
  readonly filesystemFor: (scheme: string) => string | undefined;
  readonly tally: ScanTally;
  readonly witness: Pick<RootWitness, 'remember'>;
  readonly emit: EmitLibraryEvent;
  readonly now: () => number;
  readonly log: Log;
}

const progressEveryMs = 250;
const describeTimeoutMs = 10_000;

/**
 * Runs scans: asks what to look for, then lets the scanner plugin walk, step by step. What was asked
 * at the start is kept in the checkpoint, so a scan that goes on after a crash looks for the same.
 */
export function createScanRunner(parts: ScanRunnerParts): JobRunner {
  const { database, scanner, tally, emit, now } = parts;
  const scanEnd = createScanEnd(parts);
  const toldAt = new Map<string, number>();

  async function begin(job: Job, library: LibraryRow): Promise<ScanState> {
    const places = parsePlaces(job.payload, rootsOf(library));
    const plan = { ...(await prepare(library)), ...places };
    const hasMarked = await mark(library, await lastNumber(database.read));
    tally.take(library.id);
    emit('library.scan.started', eventOf(job, library.id, emptyCounts()));
    return { plan, hasMarked, counts: emptyCounts(), withheld: [], walk: null };
  }

  /**
   * Notes where the scan began, and tells whether it did. A scan that never came to its end has left
   * its own note: what it found is still as new as then, and what it missed may still turn up.
   */
  async function mark(library: LibraryRow, madeAfter: number): Promise<boolean> {
    if (library.scan_after !== null) return false;
    const columns = { scan_after: madeAfter, scan_began_at: now() };
    await database.write((trx) => updateLibrary(trx, library.no, columns));
    return true;
  }

  async function prepare(library: LibraryRow): Promise<ScanPlan> {
    const roots = rootsOf(library);
    const fsPlugin = library.plugin_id ?? parts.filesystemFor(schemeOf(roots[0] ?? '')) ?? '';
    const input = { libraryType: library.type, fsPlugin };
    const about = { libraryId: library.id };
    const { output } = await parts.hooks.run('pipeline.scan.prepare', input, about);
    const described = await describe(library);
    const extensions = new Set([
      ...described.flatMap((answer) => readExtensions(answer['extensions'])),
      ...readExtensions(output.extensions),
    ]);
    const beside = described.flatMap((answer) => readExtensions(answer['auxiliary']));
    return {
      roots,
      extensions: [...extensions],
      auxiliary: [...new Set(beside)].filter((extension) => !extensions.has(extension)),
      patterns: [...(output.patterns ?? [])],
    };
  }

  /** What the library plugins know of this type, each for itself. */
  async function describe(library: LibraryRow): Promise<readonly Record<string, unknown>[]> {
    const { id: libraryId, type: libraryType } = library;
    const answers = parts.providers('library').map(async (pluginId) => {
      const options = { timeoutMs: describeTimeoutMs, about: { libraryId } };
      try {
        const answer = await parts.call(pluginId, 'library.describe', { libraryType }, options);
        return isMap(answer) ? [answer] : [];
      } catch (cause) {
        if (isNotGranted(cause)) return [];
        parts.log.warn({ pluginId, err: cause }, 'A library plugin did not describe its libraries');
        return [];
      }
    });
    return (await Promise.all(answers)).flat();
  }

  function tellProgress(job: Job, libraryId: string, counts: PageCounts): void {
    // A clock that was set back must not keep it silent.
    if (Math.abs(now() - (toldAt.get(job.id) ?? 0)) < progressEveryMs) return;
    toldAt.set(job.id, now());
    emit('library.scan.progress', eventOf(job, libraryId, counts));
  }

  async function finish(
    job: Job,
    library: LibraryRow,
    state: ScanState,
    answer: Readonly<Record<string, unknown>>,
  ): Promise<JobRunResult> {
    const result = await scanEnd.finish(library, state, answer);
    toldAt.delete(job.id);
    emit('library.scan.completed', eventOf(job, library.id, state.counts));
    return { done: true, result: { ...countsOf(state.counts), ...result } };
  }

  return {
    ...(scanner.pluginFor && { pluginFor: scanner.pluginFor }),
    step: async (job, checkpoint, signal) => {
      const library = await libraryOf(job);
      const before = parseScanState(checkpoint);
      const state = before ?? (await begin(job, library));
      const asked = { ...job, payload: { ...state.plan } };
      const answer = await scanner.step(asked, state.walk, signal);
      const tallied = tally.take(library.id);
      const counts = { ...state.counts };
      addCounts(counts, tallied.counts);
      const withheld = addWithheld(state.withheld, tallied.withheld);
      const reached = { ...state, counts, withheld };
      if (answer.done) return finish(job, library, reached, answer.result ?? {});
      tellProgress(job, library.id, counts);
      return {
        done: false,
        progress: answer.progress,
        checkpoint: { ...reached, walk: answer.checkpoint },
      };
    },
    ended: async (job) => {
      toldAt.delete(job.id);
      const { libraryId, status, errorMessage } = job;
      if (status !== 'failed' || libraryId === null) return;
      const library = await findLibrary(database.read, libraryId);
      if (library) await scanEnd.fail(library, errorMessage ?? 'The scan failed.');
    },
  };

  async function libraryOf({ libraryId }: Job): Promise<LibraryRow> {
    if (libraryId === null)
      throw new AppError('invalid_request', { what: 'A scan needs a libraryId.' });
    const library = await findLibrary(database.read, libraryId);
    if (library) return library;
    throw new AppError('not_found', { what: `Library ${libraryId}` });
  }
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
