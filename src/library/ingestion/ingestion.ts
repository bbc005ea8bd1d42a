import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { EventBus } from '../../../kernel/call/events/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
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
import { createIngest, type Ingest, type IngestParts } from './ingest.ts';
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

class JobIngestion implements Ingestion {
  readonly #parts: IngestionParts;
  readonly #steady: ReturnType<typeof steadyOf>;
  readonly #events: ReturnType<typeof createPipelineEvents>;
  readonly #chains: ReturnType<typeof createItemChains>;
  readonly #wholeMatches: ReturnType<typeof createWholeMatches>;
  readonly #indexing: ReturnType<typeof createFullIndexing>;
  readonly #resolveMetadata: ReturnType<typeof createMetadataResolver>;
  readonly #ownReferences: ReturnType<typeof createReferenceFilter>;
  readonly #ingest: ReturnType<typeof createIngest>;
  readonly #runnerParts: {
    ingest: Ingest;
    ingests: Ingests;
    background: Pick<BackgroundScheduler, 'batchSize'>;
    emit: EmitPipelineEvent;
    now: () => number;
    booted: () => Promise<unknown>;
    putBack: (
      library: LibraryRow,
      itemNumbers: readonly number[],
      pluginId: string,
    ) => Promise<void>;
  };
  readonly #scanPriority: ReturnType<typeof createScanPriority>;
  readonly #probes: JobRunner;
  #queue: Pick<Jobs, 'enqueue'> | null = null;
  readonly probes: Ingestion['probes'];
  readonly refreshes: Ingestion['refreshes'];
  readonly identifications: Ingestion['identifications'];

  constructor(parts: IngestionParts) {
    this.#parts = parts;
    this.#steady = steadyOf(parts.clock);
    this.#events = createPipelineEvents(parts.emit, this.#steady);
    this.#chains = createItemChains(parts);
    this.#wholeMatches = createWholeMatches(parts.database);
    this.#indexing = createFullIndexing({
      ...parts,
      wholeMatches: this.#wholeMatches,
      now: parts.clock.now,
    });
    this.#resolveMetadata = createMetadataResolver({
      chains: this.#chains,
      indexing: this.#indexing,
      filesystemOf: parts.ingests.filesystemOf,
    });
    this.#ownReferences = createReferenceFilter({
      claims: parts.claims,
      rootsOf: parts.ingests.rootsOf,
    });
    this.#ingest = createIngest({
      ...parts,
      probing: createProbing(parts),
      chains: this.#chains,
      resolveMetadata: async (library, items, how) =>
        this.#ownReferences(library, items, await this.#resolveMetadata(library, items, how)),
      events: this.#events,
      stopwatch: this.#steady.now,
    });
    this.#runnerParts = {
      ingest: this.#ingest,
      ingests: parts.ingests,
      background: parts.background,
      emit: parts.emit,
      now: this.#steady.now,
      booted: parts.booted,
      putBack: async (library: LibraryRow, itemNumbers: readonly number[], pluginId: string) => {
        if (itemNumbers.length === 0) return;
        const ids = await parts.ingests.idsOf(itemNumbers);
        const results = ids.map((itemId) => ({ itemId, pluginId, ending: 'busy' }) as const);
        await parts.retryQueue.note(library.id, results);
      },
    };
    this.#scanPriority = createScanPriority(this.#steady);
    this.#probes = createIngestRunner({
      ...this.#runnerParts,
      waitForScans: this.#scanPriority.waitForScans,
    });
    this.probes = {
      ...this.#probes,
      // Files that arrived while the job was ending found it busy.
      ended: async ({ libraryId, status, result }) => {
        const isThrough = status === 'completed' && result['settled'] !== 0;
        if (isThrough && libraryId !== null) this.wake(libraryId);
      },
    };
    this.refreshes = createRefreshRunner(this.#runnerParts);
    this.identifications = createRefreshRunner(this.#runnerParts, { reads: false });
  }

  async #enqueueWaiting(libraryId?: string): Promise<void> {
    if (this.#queue === null || !this.#parts.isAutomatic) return;
    const waiting = await this.#parts.ingests.waiting(libraryId);
    for (const id of waiting) {
      const job = { type: 'probe', libraryId: id, priority: priorities.probe };
      await this.#queue.enqueue(job, serverViewer).catch(unlessBusy);
    }
  }

  /** Background work: a failure is logged, and the next scan wakes it again. */
  readonly wake = (libraryId?: string): void => {
    this.#enqueueWaiting(libraryId).catch((err: unknown) =>
      this.#parts.log.warn({ libraryId, err }, 'An ingest could not be started'),
    );
  };

  /** Files that failed for lack of a plugin are queued when it is back. */
  #retryUnavailable(pluginId: string): void {
    if (!this.#parts.providers('probe').includes(pluginId)) return;
    this.#parts.ingests.markUnavailable(unavailableCodes).then(
      () => this.wake(),
      (err: unknown) =>
        this.#parts.log.warn({ pluginId, err }, 'Files without a probe could not be queued again'),
    );
  }

  async #refresh(
    payload: { readonly itemIds: ItemIds; readonly media?: 'keep' },
    viewer: Viewer,
  ): Promise<Job> {
    const { libraryId } = await this.#parts.items.get(payload.itemIds[0], viewer);
    if (this.#queue === null)
      throw new AppError('unavailable', { what: 'The queue is not open yet.' });
    const job = { type: 'refresh', libraryId, payload, priority: priorities.refresh };
    return this.#queue.enqueue(job, viewer);
  }

  async #refreshLater(
    libraryId: string,
    what: { readonly itemIds?: readonly string[]; readonly source?: string },
    alongside?: Alongside,
  ): Promise<Job | null> {
    if (this.#queue === null || (await this.#parts.ingests.library(libraryId)) === undefined)
      return null;
    const payload = { ...what, ...keepsAll };
    const job = { type: 'refresh', libraryId, payload, priority: priorities.later };
    return this.#queue.enqueue(job, serverViewer, alongside);
  }

  readonly attach: Ingestion['attach'] = ({ jobs, events: bus }) => {
    this.#queue = jobs;
    for (const name of ['library.scan.progress', 'library.scan.completed'])
      bus.listen(name, ({ data }) => this.wake(textOf(data, 'libraryId')));
    for (const name of ['plugin.started', 'plugin.restarted'])
      bus.listen(name, ({ data }) => this.#retryUnavailable(textOf(data, 'pluginId') ?? ''));
    bus.listen('library.item.added', ({ data }) => {
      const itemId = textOf(data, 'itemId');
      const libraryId = textOf(data, 'libraryId');
      if (itemId !== undefined && libraryId !== undefined)
        this.#events.discovered(libraryId, itemId);
    });
  };

  readonly following: Ingestion['following'] = (scans) => ({
    ...scans,
    step: async (job, checkpoint, signal) => {
      this.#scanPriority.noteScanStep(job.id);
      const result = await scans.step(job, checkpoint, signal);
      if (result.done) this.#scanPriority.scanEnds(job.id);
      if (result.done && job.libraryId !== null) await this.#enqueueWaiting(job.libraryId);
      return result;
    },
    ended: async (job) => {
      this.#scanPriority.scanEnds(job.id);
      await scans.ended?.(job);
    },
  });

  readonly lookUpLater: Ingestion['lookUpLater'] = (libraryId, itemIds, source, alongside) =>
    this.#refreshLater(libraryId, { itemIds, source }, alongside);

  readonly mergeAgain: Ingestion['mergeAgain'] = async (libraryId, viewer) => {
    if (this.#queue === null)
      throw new AppError('unavailable', { what: 'The queue is not open yet.' });
    return this.#queue.enqueue(
      { type: 'refresh', libraryId, payload: keepsAll, priority: priorities.refresh },
      viewer,
    );
  };

  readonly mergeLater: Ingestion['mergeLater'] = (libraryId, alongside) =>
    this.#refreshLater(libraryId, {}, alongside);

  readonly refreshItem: Ingestion['refreshItem'] = (itemId, viewer) =>
    this.#refresh({ itemIds: [itemId] }, viewer);

  readonly identifyItems: Ingestion['identifyItems'] = (itemIds, viewer) =>
    this.#refresh({ itemIds, media: 'keep' }, viewer);
}

export const createIngestion = (parts: IngestionParts): Ingestion => new JobIngestion(parts);

function unlessBusy(error: unknown): void {
  const isBusy = error instanceof AppError && error.code === 'job_running';
  const isGone = error instanceof AppError && error.code === 'not_found';
  if (!isBusy && !isGone) throw error;
}

function textOf(data: object, key: string): string | undefined {
  const found: unknown = Object.getOwnPropertyDescriptor(data, key)?.value;
  return typeof found === 'string' ? found : undefined;
}
