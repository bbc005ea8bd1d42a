/**
 * Runs ingests as jobs. The waiting files are marked in their rows, so a killed job loses only the
 * batches that were under way, and they are taken again. A step lasts a second or two and runs a
 * few batches at a time, so that plugins, disk and database work in parallel; each batch waits
 * behind interactive requests.
 */
import { AppError } from '../../platform/errors.ts';
import type { JobRunner } from '../../work/jobs/index.ts';
import type { Ingests } from '../catalogue/commit/index.ts';
import type { LibraryRow } from '../catalogue/index.ts';
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import { addCounts, noCounts, type BatchCounts, type Ingest } from './ingest.ts';
import { createIngestSource, type IngestSource } from './ingest-source.ts';
import {
  beginIngest,
  parseAsks,
  parseIngestState,
  parseItemIds,
  parseReads,
  parseSource,
  type IngestState,
} from './ingest-state.ts';
import type { EmitPipelineEvent } from './pipeline-events.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

export interface IngestRunnerParts {
  readonly ingest: Ingest;
  readonly ingests: Ingests;
  readonly background: Pick<BackgroundScheduler, 'batchSize'>;
  readonly emit: EmitPipelineEvent;
  readonly now: () => number;
  /** Items of which a source was not asked, since it is unavailable. */
  readonly putBack: (
    library: LibraryRow,
    itemNumbers: readonly number[],
    pluginId: string,
  ) => Promise<void>;
  /** Waits for running scans, until `endAt` at most; false = a scan is still running. */
  readonly waitForScans?: (endAt: number, signal: AbortSignal) => Promise<boolean>;
  /** Resolves when every plugin had its chance to start. */
  readonly booted: () => Promise<unknown>;
}

const batchesUnderWay = 3;
const batchItems = 96;
/** While clients are served, so that a step is short. */
const smallBatchItems = 32;
const stepMs = 1500;
/**
 * The first step of a job in this process is short: a job that is stopped repeatedly soon after its
 * start still stores progress, and is not given up.
 */
const firstStepMs = 250;
const tellEveryMs = 250;
/** Items of which the names are read at a time. */
const groupedItems = 500;
/** Items that keep changing during the ingest are left to the next scan. */
const mostIdleRounds = 3;

/** Runs jobs of the type `probe`: all waiting files of a library. */
export function createIngestRunner(parts: IngestRunnerParts): JobRunner {
  const stepped = new Set<string>();
  return {
    step: (job, checkpoint, signal) => step(parts, { job, checkpoint, signal, begin, stepped }),
  };

  async function begin(library: LibraryRow): Promise<IngestState> {
    const { pending } = await parts.ingests.count(library);
    return beginIngest(pending, null);
  }
}

/**
 * Runs jobs of the type `refresh`: ingests items again, or a whole library, whose files are grouped
 * again first. With `reads` false, those
 * of the type `identify`: the same with the stored probe reports, and no media is read.
 */
export function createRefreshRunner(
  parts: IngestRunnerParts,
  { reads }: { readonly reads?: false } = {},
): JobRunner {
  const { ingests } = parts;
  const stepped = new Set<string>();
  return {
    checkPayload: (payload, libraryId) => {
      const { itemIds } = parsePayload(payload);
      if (itemIds !== null && libraryId === null)
        throw new AppError('invalid_request', {
          what: 'libraryId must be the library of payload.itemIds.',
        });
    },
    step: (job, checkpoint, signal) => step(parts, { job, checkpoint, signal, begin, stepped }),
  };

  function parsePayload(payload: Job['payload']) {
    return {
      itemIds: parseItemIds(payload),
      source: parseSource(payload),
      how: { reads: reads ?? parseReads(payload), asks: parseAsks(payload) },
    };
  }

  async function begin(library: LibraryRow, job: Job, isGrouped: boolean): Promise<IngestState> {
    const { itemIds, source, how } = parsePayload(job.payload);
    if (itemIds === null && !isGrouped) return { ...beginIngest(0, null), grouped: 0 };
    if (source !== null && itemIds !== null) {
      const only = await ingests.numbersOf(library, itemIds);
      return beginIngest(only.length, only);
    }
    if (itemIds === null) await ingests.markLibrary(library, how);
    const only = itemIds === null ? null : await ingests.markItems(library, itemIds, how);
    const waiting = only?.length ?? (await ingests.count(library)).pending;
    return beginIngest(waiting, only);
  }
}

interface Step {
  readonly job: Job;
  readonly checkpoint: unknown;
  readonly signal: AbortSignal;
  readonly begin: (library: LibraryRow, job: Job, isGrouped: boolean) => Promise<IngestState>;
  /** Jobs that had a step in this process. */
  readonly stepped: Set<string>;
}

async function step(
  parts: IngestRunnerParts,
  { job, checkpoint, signal, begin, stepped }: Step,
): ReturnType<JobRunner['step']> {
  await parts.booted();
  const known = parseIngestState(checkpoint);
  const library = await findLibrary(parts, job);
  if (library === undefined) {
    if (known === null) throw new AppError('not_found', { what: `Library ${job.libraryId}` });
    // The library was removed during the job: nothing is left to do.
    return { done: true, result: { ...known.counts } };
  }
  // The marks of the start are stored before anything else, so that they are set once.
  if (known === null)
    return { done: false, checkpoint: await begin(library, job, false), progress: job.progress };
  const lengthMs = stepped.has(job.id) ? stepMs : firstStepMs;
  stepped.add(job.id);
  if (known.grouped !== null) {
    const grouped = await groupAgain(parts, { library, signal, after: known.grouped, lengthMs });
    const checkpoint = grouped === null ? await begin(library, job, true) : { ...known, grouped };
    return { done: false, checkpoint, progress: job.progress };
  }
  const plugin = parseSource(job.payload);
  const isLookup = plugin !== null;
  const source = createIngestSource(parts.ingests, library, { ...known, isLookup });
  const done = await workOff(parts, { job, library, signal, source, plugin, lengthMs });
  const state: IngestState = {
    ...known,
    counts: addCounts(known.counts, done.counts),
    after: source.position(),
    inRound: known.inRound + done.counts.settled,
  };
  const left = isLookup ? restOf(state).length : await leftOf(parts, library, state);
  tellDetail(parts, job, library, state, left);
  if (done.isExhausted) stepped.delete(job.id);
  if (!done.isExhausted)
    return { done: false, checkpoint: state, progress: progressOf(state, left) };
  if (isLookup) {
    // Its source is unavailable: it is not asked about the rest now.
    await parts.putBack(library, restOf(state), plugin);
    return { done: true, result: { ...state.counts } };
  }
  const idleRounds = state.inRound === 0 ? state.idleRounds + 1 : 0;
  if (left === 0 || idleRounds >= mostIdleRounds)
    return { done: true, result: { ...state.counts } };
  const again = { ...state, after: 0, inRound: 0, idleRounds };
  return { done: false, checkpoint: again, progress: progressOf(state, left) };
}

/** Gives the number of the last item; null = all are grouped. */
async function groupAgain(
  { ingests, background, now }: IngestRunnerParts,
  work: {
    readonly library: LibraryRow;
    readonly signal: AbortSignal;
    readonly after: number;
    readonly lengthMs: number;
  },
): Promise<number | null> {
  const endAt = now() + work.lengthMs;
  let after: number | null = work.after;
  while (after !== null && !work.signal.aborted && now() < endAt) {
    const limit = await background.batchSize(groupedItems);
    after = await ingests.regroup(work.library, { after, limit });
  }
  return after;
}

async function workOff(
  { ingest, background, emit, now, waitForScans }: IngestRunnerParts,
  work: {
    readonly job: Job;
    readonly library: LibraryRow;
    readonly signal: AbortSignal;
    readonly source: IngestSource;
    /** The one source to ask. */
    readonly plugin: string | null;
    readonly lengthMs: number;
  },
): Promise<{ readonly counts: BatchCounts; readonly isExhausted: boolean }> {
  const { job, library, signal, source, plugin } = work;
  const endAt = now() + work.lengthMs;
  let counts = noCounts;
  let isExhausted = false;
  let emittedAt = 0;

  async function takeBatches(): Promise<void> {
    while (!signal.aborted && !isExhausted && now() < endAt) {
      if (waitForScans && !(await waitForScans(endAt, signal))) return;
      const granted = await background.batchSize(batchItems);
      const isSmall = plugin !== null || granted < batchItems;
      const numbers = await source.take(isSmall ? smallBatchItems : batchItems);
      if (numbers.length === 0) {
        isExhausted = true;
        return;
      }
      const batch = await ingest(library, numbers, plugin);
      isExhausted ||= batch.isAway;
      counts = addCounts(counts, batch);
      if (now() - emittedAt < tellEveryMs) continue;
      emittedAt = now();
      const detail = { task: 'ingest', libraryId: library.id, ...counts };
      emit('admin.pipeline.taskUpdated', { jobId: job.id, detail });
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: batchesUnderWay }, takeBatches));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return { counts, isExhausted };
}

async function leftOf(
  { ingests }: IngestRunnerParts,
  library: LibraryRow,
  { only }: IngestState,
): Promise<number> {
  if (only !== null) return (await ingests.filterPending(only)).length;
  return (await ingests.count(library)).pending;
}

function tellDetail(
  { emit }: IngestRunnerParts,
  job: Job,
  library: LibraryRow,
  { counts, waiting }: IngestState,
  left: number,
): void {
  const detail = { libraryId: library.id, ...counts, waitedFirst: waiting, waiting: left };
  emit('admin.pipeline.jobDetailUpdated', { jobId: job.id, detail });
}

/** The items of a look-up that it has not come to. */
const restOf = ({ only, after }: IngestState): readonly number[] =>
  (only ?? []).filter((no) => no > after);

/** A running scan may add files, so the total may grow; progress stays below 1 until the end. */
function progressOf({ waiting, counts }: IngestState, left: number): number {
  const all = Math.max(waiting, counts.settled + left, 1);
  return Math.max(0, Math.min(0.99, 1 - left / all));
}

async function findLibrary(
  { ingests }: IngestRunnerParts,
  { libraryId, type }: Job,
): Promise<LibraryRow | undefined> {
  if (libraryId === null)
    throw new AppError('invalid_request', { what: `A ${type} needs a libraryId.` });
  return ingests.library(libraryId);
}
