import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { EventBus } from '../../../kernel/events/index.ts';
import type { Database, Transaction } from '../../../kernel/storage/index.ts';
import type { CapabilityConfig, ServedKey } from '../../../plugin-api/index.ts';
import { serverViewer, type Viewer } from '../../people/viewer/index.ts';
import { steadyOf, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRunner, Jobs } from '../../work/jobs/index.ts';
import type { Identifier, Indexers, Ingests } from '../catalogue/commit/index.ts';
import type { Items, LibraryRow } from '../catalogue/index.ts';
import { createWholeMatches } from '../matching/index.ts';
import type { BackgroundScheduler } from '../../platform/background-scheduler.ts';
import type { Claims } from '../../files/references/index.ts';
import { createFullIndexing } from './full-indexing.ts';
import { createIngest, type IngestParts } from './ingest.ts';
import { createIngestRunner, createRefreshRunner } from './ingest-runner.ts';
import { createItemChains, type ItemHookChains } from './item-chains.ts';
import { createScanPriority } from './scan-priority.ts';
import { createReferenceFilter } from './reference-filter.ts';
import { createPipelineEvents, type EmitPipelineEvent } from './pipeline-events.ts';
import { createProbing, unavailableCodes, type ProbingParts } from './probing.ts';
import { createMetadataResolver } from './metadata-resolver.ts';
import type { Job } from '../../contract/resources/library/catalogue.ts';

export interface IngestionParts extends Pick<
  IngestParts,
  'fingerprints' | 'withLocalFiles' | 'retryQueue'
> {
  readonly database: Database;
  readonly ingests: Ingests;
  readonly indexers: Indexers;
  readonly identifier: Identifier;
  readonly items: Pick<Items, 'get'>;
  readonly hooks: ItemHookChains;
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
  readonly answersVersionOf: ProbingParts['answersVersionOf'];
  readonly absentProbes: ProbingParts['absentProbes'];
  /** How long a probe may take for one file; the default when absent. */
  readonly probeMs?: number;
  /** Resolves when every plugin had its chance to start; before that, some would be skipped. */
  readonly booted: () => Promise<unknown>;
  readonly emit: EmitPipelineEvent;
  /** The rules for files and addresses that plugins may name. */
  readonly claims: Claims;
  /** Whether waiting files are ingested automatically; else only on request. */
  readonly isAutomatic: boolean;
  readonly background: Pick<BackgroundScheduler, 'batchSize'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ingests what scans have found: probes files and identifies items. */
export interface Ingestion {
  /** Runs jobs of the type `probe`. */
  readonly probes: JobRunner;
  /** Runs jobs of the type `refresh`. */
  readonly refreshes: JobRunner;
  /** Runs jobs of the type `identify`. */
  readonly identifications: JobRunner;
  /** Enqueues ingests in this queue from now on, and starts one after each scan. */
  readonly attach: (to: {
    readonly jobs: Pick<Jobs, 'enqueue'>;
    readonly events: Pick<EventBus, 'listen'>;
  }) => void;
  /**
   * Wraps a runner of scans: the ingest of its files is enqueued before the scan is over, so that
   * there is no moment without an active job.
   */
  readonly following: (scans: JobRunner) => JobRunner;
  /** Files may wait in the library, or in any. */
  readonly wake: (libraryId?: string) => void;
  /**
   * Looks items up at a source, with low priority; null = the library is gone. `alongside` is written
   * in the transaction that stores the job.
   */
  readonly lookUpLater: (
    libraryId: string,
    itemIds: readonly string[],
    source: string,
    alongside?: Alongside,
  ) => Promise<Job | null>;
  /** Ingests an item again, and probes its media. */
  readonly refreshItem: (itemId: string, viewer: Viewer) => Promise<Job>;
  /** Merges what is kept of a library again, without asking its sources on the network. */
  readonly mergeAgain: (libraryId: string, viewer: Viewer) => Promise<Job>;
  /** The same with low priority; null = the library is gone. */
  readonly mergeLater: (libraryId: string, alongside: Alongside) => Promise<Job | null>;
  /** Identifies items of one library again with the stored probe reports. */
  readonly identifyItems: (itemIds: ItemIds, viewer: Viewer) => Promise<Job>;
}

/** Written in the transaction that stores a job. */
type Alongside = (trx: Transaction) => Promise<void>;

/** Items of one library, at least one. */
type ItemIds = readonly [string, ...string[]];

/** Jobs that a user waits for go before automatic ones. */
const priorities = { probe: 40, refresh: 80, later: 30 } as const;

/** Neither media nor the network is asked again. */
const keepsAll = { media: 'keep', network: 'keep' } as const;

export function createIngestion(parts: IngestionParts): Ingestion {
  const { ingests, emit, clock, background, log } = parts;
  const steady = steadyOf(clock);
  const events = createPipelineEvents(emit, steady);
  const chains = createItemChains(parts);
  const wholeMatches = createWholeMatches(parts.database);
  const indexing = createFullIndexing({ ...parts, wholeMatches, now: clock.now });
  const resolveMetadata = createMetadataResolver({
    chains,
    indexing,
    filesystemOf: ingests.filesystemOf,
  });
  const ownReferences = createReferenceFilter({ claims: parts.claims, rootsOf: ingests.rootsOf });
  const ingest = createIngest({
    ...parts,
    probing: createProbing(parts),
    chains,
    resolveMetadata: async (library, items, how) =>
      ownReferences(library, items, await resolveMetadata(library, items, how)),
    events,
    stopwatch: steady.now,
  });
  const runnerParts = {
    ingest,
    ingests,
    background,
    emit,
    now: steady.now,
    booted: parts.booted,
    putBack: async (library: LibraryRow, itemNumbers: readonly number[], pluginId: string) => {
      if (itemNumbers.length === 0) return;
      const ids = await ingests.idsOf(itemNumbers);
      const results = ids.map((itemId) => ({ itemId, pluginId, ending: 'busy' }) as const);
      await parts.retryQueue.note(library.id, results);
    },
  };
  const scanPriority = createScanPriority(steady);
  const probes = createIngestRunner({ ...runnerParts, waitForScans: scanPriority.waitForScans });
  let queue: Pick<Jobs, 'enqueue'> | null = null;

  async function enqueueWaiting(libraryId?: string): Promise<void> {
    if (queue === null || !parts.isAutomatic) return;
    const waiting = await ingests.waiting(libraryId);
    for (const id of waiting) {
      const job = { type: 'probe', libraryId: id, priority: priorities.probe };
      await queue.enqueue(job, serverViewer).catch(unlessBusy);
    }
  }

  /** Background work: a failure is logged, and the next scan wakes it again. */
  function wake(libraryId?: string): void {
    enqueueWaiting(libraryId).catch((err: unknown) =>
      log.warn({ libraryId, err }, 'An ingest could not be started'),
    );
  }

  /** Files that failed for lack of a plugin are queued when it is back. */
  function retryUnavailable(pluginId: string): void {
    if (!parts.providers('probe').includes(pluginId)) return;
    ingests.markUnavailable(unavailableCodes).then(
      () => wake(),
      (err: unknown) =>
        log.warn({ pluginId, err }, 'Files without a probe could not be queued again'),
    );
  }

  async function refresh(
    payload: { readonly itemIds: ItemIds; readonly media?: 'keep' },
    viewer: Viewer,
  ): Promise<Job> {
    const { libraryId } = await parts.items.get(payload.itemIds[0], viewer);
    if (queue === null) throw new AppError('unavailable', { what: 'The queue is not open yet.' });
    const job = { type: 'refresh', libraryId, payload, priority: priorities.refresh };
    return queue.enqueue(job, viewer);
  }

  async function refreshLater(
    libraryId: string,
    what: { readonly itemIds?: readonly string[]; readonly source?: string },
    alongside?: Alongside,
  ): Promise<Job | null> {
    if (queue === null || (await ingests.library(libraryId)) === undefined) return null;
    const payload = { ...what, ...keepsAll };
    const job = { type: 'refresh', libraryId, payload, priority: priorities.later };
    return queue.enqueue(job, serverViewer, alongside);
  }

  return {
    probes: {
      ...probes,
      // Files that arrived while the job was ending found it busy.
      ended: async ({ libraryId, status, result }) => {
        const isThrough = status === 'completed' && result['settled'] !== 0;
        if (isThrough && libraryId !== null) wake(libraryId);
      },
    },
    refreshes: createRefreshRunner(runnerParts),
    identifications: createRefreshRunner(runnerParts, { reads: false }),
    attach: ({ jobs, events: bus }) => {
      queue = jobs;
      for (const name of ['library.scan.progress', 'library.scan.completed'])
        bus.listen(name, ({ data }) => wake(textOf(data, 'libraryId')));
      for (const name of ['plugin.started', 'plugin.restarted'])
        bus.listen(name, ({ data }) => retryUnavailable(textOf(data, 'pluginId') ?? ''));
      bus.listen('library.item.added', ({ data }) => {
        const itemId = textOf(data, 'itemId');
        const libraryId = textOf(data, 'libraryId');
        if (itemId !== undefined && libraryId !== undefined) events.discovered(libraryId, itemId);
      });
    },
    following: (scans) => ({
      ...scans,
      step: async (job, checkpoint, signal) => {
        scanPriority.noteScanStep(job.id);
        const result = await scans.step(job, checkpoint, signal);
        if (result.done) scanPriority.scanEnds(job.id);
        if (result.done && job.libraryId !== null) await enqueueWaiting(job.libraryId);
        return result;
      },
      ended: async (job) => {
        scanPriority.scanEnds(job.id);
        await scans.ended?.(job);
      },
    }),
    wake,
    lookUpLater: (libraryId, itemIds, source, alongside) =>
      refreshLater(libraryId, { itemIds, source }, alongside),
    mergeAgain: async (libraryId, viewer) => {
      if (queue === null) throw new AppError('unavailable', { what: 'The queue is not open yet.' });
      return queue.enqueue(
        { type: 'refresh', libraryId, payload: keepsAll, priority: priorities.refresh },
        viewer,
      );
    },
    mergeLater: (libraryId, alongside) => refreshLater(libraryId, {}, alongside),
    refreshItem: (itemId, viewer) => refresh({ itemIds: [itemId] }, viewer),
    identifyItems: (itemIds, viewer) => refresh({ itemIds, media: 'keep' }, viewer),
  };
}

function unlessBusy(error: unknown): void {
  const isBusy = error instanceof AppError && error.code === 'job_running';
  const isGone = error instanceof AppError && error.code === 'not_found';
  if (!isBusy && !isGone) throw error;
}

function textOf(data: object, key: string): string | undefined {
  const found: unknown = Object.getOwnPropertyDescriptor(data, key)?.value;
  return typeof found === 'string' ? found : undefined;
}
