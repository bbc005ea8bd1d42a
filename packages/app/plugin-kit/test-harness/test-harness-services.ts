/** The host services of a test harness: those of a server, over fake libraries and a fake network. */
import path from 'node:path';
import type { Kernel } from '../../../../kernel/index.ts';
import type { Storage } from '../../../../kernel/store/index.ts';
import { systemClock, toTimestamp, type Clock } from '../../../../src/platform/clock.ts';
import { EventLog } from '../../../../src/plugins/event-log/index.ts';
import { createJobsService, type Jobs } from '../../../../src/work/jobs/index.ts';
import { createNetwork } from '../../../../src/platform/net/index.ts';
import {
  createNotificationsService,
  type Notice,
} from '../../../../src/platform/notifications/index.ts';
import type { PluginReach } from '../../../../src/plugins/scopes/index.ts';
import { createPluginWakes } from '../../../../src/work/scheduler/index.ts';
import type { NewId } from '../../../../src/platform/uuid-v7.ts';
import { kitVersion } from './built-parts.ts';
import { createFakeFiles } from '../fakes/fake-files.ts';
import { createFakeLibraryService } from '../fakes/fake-library-service.ts';
import { createFakeMedia } from '../fakes/fake-media.ts';
import { createFakeViewing } from '../fakes/fake-viewing-service.ts';
import type { ViewingState } from '../fakes/fake-viewing.ts';
import type { EnqueuedJob } from './plugin-under-test.ts';
import type { TestHarnessParts } from './test-harness-parts.ts';

/** Jobs and notifications that the plugin requested. */
export interface Requested {
  readonly jobs: EnqueuedJob[];
  readonly notices: Notice[];
}

/** The services beside the kernel, and their lifecycle. */
export type TestHarnessServices = ReturnType<typeof createTestHarnessServices>;

export interface TestHarnessServicesParts extends TestHarnessParts {
  readonly kernel: Kernel;
  readonly storage: Storage;
  readonly reach: PluginReach;
  readonly folder: string;
  readonly requested: Requested;
  readonly viewing: ViewingState;
  readonly newId: NewId;
}

/** Offers all services to the kernel. */
export function createTestHarnessServices(parts: TestHarnessServicesParts) {
  const { kernel, storage, reach, folder, library, requested, clock, newId, log } = parts;
  const { plugins, events, call } = kernel;
  const { database } = storage;
  const isRunning = (id: string) =>
    plugins.registry.has(id) && plugins.registry.get(id).state === 'running';
  const isKnown = plugins.registry.has;
  const network = createNetwork({
    cacheFolder: path.join(folder, 'cache'),
    // With answers of a test nothing leaves the machine, so no host needs the operator's consent.
    allowedHosts: parts.exchange ? ['*'] : (parts.allowedHosts ?? []),
    version: kitVersion,
    ratesOf: plugins.registry.netRatesOf,
    lanesOf: plugins.registry.netLanesOf,
    mayPause: (id) => plugins.providers.allOf('webhooks').includes(id),
    privateHosts: plugins.configuration.privateHostsOf,
    enteredHosts: plugins.configuration.enteredHostsOf,
    grantedHosts: (id) => plugins.grants.powersOf(id).net ?? [],
    openSecret: plugins.secrets.open,
    ...(parts.exchange && { exchange: parts.exchange }),
    clock: flowing(clock),
    log,
  });
  const wakes = createPluginWakes({ database, call, isRunning, isKnown, clock, log });
  const eventLog = new EventLog({
    database,
    events,
    call,
    isRunning,
    isKnown,
    canPublish: async (subjects) => subjects.map(() => true),
    canReceive: (id) =>
      isKnown(id) ? reach.eventsWithin({ pluginId: id, reach: plugins.grants.reachOf(id) }) : null,
    folder,
    onLost: () => undefined,
    clock,
    newId,
    log,
  });
  const enqueue: Jobs['enqueue'] = async ({ type, payload = {}, ...job }) => {
    const id = newId();
    const libraryId = job.libraryId ?? null;
    requested.jobs.push({ jobId: id, type, libraryId, payload });
    return { ...waitingJob, id, type, libraryId, payload, createdAt: toTimestamp(clock.now()) };
  };
  const services = [
    createFakeFiles(library),
    createFakeLibraryService(library, database, reach),
    createFakeMedia(library, reach, parts.viewing),
    createFakeViewing({
      library,
      state: parts.viewing,
      reach,
      agreed: plugins.agreements.list,
      now: clock.now,
    }),
    network.service,
    wakes.service,
    eventLog.service,
    createJobsService({ enqueue }),
    createNotificationsService((notice) => requested.notices.push(notice)),
  ];
  for (const service of services) kernel.provide(service);
  for (const name of ['plugin.started', 'plugin.restarted'] as const) {
    events.listen(name, ({ data }) => {
      wakes.look();
      if ('pluginId' in data && typeof data.pluginId === 'string') eventLog.look(data.pluginId);
    });
  }
  return {
    /** Called before the plugin is loaded. */
    open: eventLog.open,
    /** Called when the plugin runs. */
    start: async (): Promise<void> => {
      await wakes.start();
      eventLog.start();
    },
    /** Resolves when what has happened is where the plugin finds it. */
    flush: eventLog.flush,
    /** Stops calling the plugin. */
    stop: async (): Promise<void> => {
      eventLog.stop();
      await wakes.stop();
    },
    /** Called after the kernel has closed. */
    close: async (): Promise<void> => {
      await eventLog.close();
      await network.close();
    },
  };
}

/** A test harness does not run jobs: each stays pending. */
type Job = Awaited<ReturnType<Jobs['enqueue']>>;

const waitingJob: Omit<Job, 'id' | 'type' | 'libraryId' | 'payload' | 'createdAt'> = {
  pluginId: null,
  status: 'pending',
  priority: 50,
  result: {},
  progress: 0,
  errorMessage: null,
  startedAt: null,
  completedAt: null,
};

/** Network calls take real time: a rate limit must not wait until the test moves its clock. */
function flowing(clock: Clock): Clock {
  const begun = performance.now();
  return {
    now: () => clock.now() + Math.floor(performance.now() - begun),
    after: systemClock.after,
  };
}
