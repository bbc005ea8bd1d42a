/** The background work on libraries: the job queue and the ingestion. */
import type { Kernel } from '../../kernel/index.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Network } from '../platform/net/index.ts';
import { createIngestion, type Ingestion } from '../library/ingestion/index.ts';
import { createReindexRunner } from '../library/catalogue/search/index.ts';
import { createEveryLibraryRunner, createJobsService, Jobs } from '../work/jobs/index.ts';
import {
  createRetryQueue,
  createHookBackfill,
  createIndexerBackfill,
} from '../library/matching/index.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { LibraryParts } from './library.ts';
import type { References } from './references.ts';

/** The background work on libraries. */
export type Work = ReturnType<typeof composeWork>;

export interface WorkNeeds extends Pick<LibraryParts, 'library' | 'pluginRunner'> {
  readonly kernel: Kernel;
  readonly files: MediaFiles;
  readonly references: References;
  readonly network: Pick<Network, 'pauseOf'>;
}

/** Builds the queue and its runners; no job runs yet. */
export function composeWork(infrastructure: Infrastructure, needs: WorkNeeds) {
  const { config, duties, cluster, clock, log } = infrastructure;
  const { kernel, library, pluginRunner, files, references, network } = needs;
  const { call, events, hooks, plugins, provide } = kernel;
  const { answersVersionOf, capabilityConfigOf } = plugins.registry;
  const { allOf: providers } = plugins.providers;
  const jobs = new Jobs({
    ...infrastructure,
    emit: events.emit,
    keepDays: config.keepJobsDays,
    ...(cluster && {
      owner: cluster.processId,
      leaves: async () => {
        await cluster.catchUp();
        return plugins.installs.lacking()?.libraries ?? [];
      },
    }),
    libraryExists: (id) => library.libraries.exists(id),
  });
  const retryQueue = createRetryQueue({
    database: duties,
    sources: () => providers('indexer'),
    isInstalled: plugins.registry.has,
    pauseOf: network.pauseOf,
    refresh: (...items) => ingestion.lookUpLater(...items),
    isOver: async (id) => {
      const job = await jobs.get(id, serverViewer).catch(nullWhereGone);
      return job === null || !['pending', 'running'].includes(job.status);
    },
    clock,
    log,
  });
  const indexerBackfill = createIndexerBackfill({
    isInstalled: plugins.registry.has,
    ...library,
    database: duties,
    call,
    providers,
    answersVersionOf,
    retryQueue,
    booted: plugins.lifecycle.booted,
    clock,
    log,
  });
  const ingestion: Ingestion = createIngestion({
    ...infrastructure,
    ...library,
    retryQueue,
    hooks,
    call,
    providers,
    capabilityConfigOf,
    answersVersionOf,
    fingerprints: files.fingerprints,
    withLocalFiles: files.withLocalFiles,
    emit: events.emit,
    claims: references.claims,
    absentProbes: () =>
      plugins.registry
        .list({ capability: 'probe' })
        .filter(({ enabled, state }) => enabled && (state === 'starting' || state === 'failed'))
        .map(({ id, state }) => ({ pluginId: id, isComing: state === 'starting' })),
    booted: plugins.lifecycle.booted,
    isAutomatic: config.ingest === 'on',
    probeMs: config.probeSeconds * 1000,
  });
  ingestion.attach({ jobs, events });
  const libraryIds = async () => (await library.libraries.list(serverViewer)).map(({ id }) => id);
  const libraryRunners = {
    scan: ingestion.following(library.scans),
    probe: ingestion.probes,
    refresh: ingestion.refreshes,
    identify: ingestion.identifications,
  };
  for (const [type, runner] of Object.entries(libraryRunners))
    jobs.register(type, createEveryLibraryRunner({ runner, jobs, libraryIds }));
  jobs.register('reindex', createReindexRunner({ call, providers }));
  jobs.fallback(pluginRunner);
  provide(createJobsService(jobs));

  const libraryIdsNow = () => library.locations.libraries().map(({ id }) => id);
  const hookBackfill = createHookBackfill({
    database: duties,
    hooks: () =>
      plugins.registry
        .readers()
        // Indexers on the network have a back-fill of their own.
        .filter(({ pluginId, name }) => name !== 'indexer' || !library.indexers.isRemote(pluginId))
        .map(({ reach, ...hook }) => ({
          ...hook,
          libraries: reach === 'all' ? libraryIdsNow().map((id) => ({ id })) : reach,
        })),
    libraries: libraryIdsNow,
    isUnreadable: (id) =>
      !plugins.registry.has(id) && plugins.registry.skipped().some((one) => one.id === id),
    merge: async (id, alongside) => (await ingestion.mergeLater(id, alongside)) !== null,
    scan: (libraryId, alongside) =>
      jobs.enqueue({ type: 'scan', libraryId }, serverViewer, alongside).then(
        () => true,
        // One that runs may have passed what the hook adds.
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'job_running') return false;
          throw error;
        },
      ),
    booted: plugins.lifecycle.booted,
    clock,
    log,
  });

  /**
   * Enqueues a scan of the library. A scan that the last run of the server left is resumed, so no
   * second one is needed.
   */
  async function scan(libraryId: string): Promise<void> {
    await jobs.enqueue({ type: 'scan', libraryId }).catch((error: unknown) => {
      log.debug({ libraryId, err: error }, 'No scan was enqueued.');
    });
  }

  return {
    jobs,
    ingestion,
    /** Retries items that an indexer could not look up. */
    retryQueue,
    /** Back-fills items for new indexers. */
    indexerBackfill,
    /** Runs new hooks over what is there. */
    hookBackfill,
    scan,
    scanAll: async (): Promise<void> => {
      for (const id of await libraryIds()) await scan(id);
    },
  };
}

/** Maps "not found" to `null`; other errors are thrown. */
function nullWhereGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
