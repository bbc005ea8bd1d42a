/**
 * One plugin in a kernel of its own: real sandbox, gate, database, hooks and events; made libraries
 * and a made network. It is what tests open and what `vitrine plugin dev` runs. The database is kept
 * from one run of the kernel to the next, so what a plugin has stored survives a reload.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createKernel,
  openStorage,
  pluginMigrations,
  type DispatchCall,
  type Kernel,
  type Log,
  type Outcome,
  type Rehearsal as KernelRehearsal,
  type Storage,
} from '../../kernel/index.ts';
import type { Permissions } from '../../plugin-api/index.ts';
import { systemClock, toTimestamp, type Clock } from '../clock.ts';
import { createJobsService, type Job, type NewJob } from '../jobs/index.ts';
import { createNetwork, type Exchange, type Network } from '../net/index.ts';
import { createPluginWakes, schedulerMigrations, type PluginWakes } from '../scheduler/index.ts';
import { createSecretBox } from '../secrets/index.ts';
import { createUuidV7 } from '../uuid-v7.ts';
import { findHostParts, kitVersion } from './built-parts.ts';
import { createFakeFiles } from './fake-files.ts';
import type { FakeLibrary } from './fake-library.ts';
import { createFakeLibraryService } from './fake-library-service.ts';
import { guestMethods } from './guest-rehearsal.ts';
import { PluginFault } from './plugin-fault.ts';
import type { EnqueuedJob } from './plugin-under-test.ts';

/** What a rehearsal is made of. */
export interface RehearsalParts {
  readonly library: FakeLibrary;
  /** What is asked in place of the network; the network itself when absent. */
  readonly exchange?: Exchange;
  /** `HOST[:PORT]` that may be reached wherever it is, as with `--net-allow`. */
  readonly allowedHosts?: readonly string[];
  /** For the server, and for `Date` in the plugin. */
  readonly clock: Clock;
  /** `Date` in the plugin stands where the clock does; else it goes on as it does anywhere. */
  readonly isTimeTold: boolean;
  /** Stands before each host service. */
  readonly service: KernelRehearsal['service'];
  readonly deadlineMs: (call: DispatchCall) => number;
  readonly observe: (call: DispatchCall, outcome: Outcome) => void;
  readonly log: Log;
}

/** A plugin that is to be run: what is written into the folder that the kernel reads. */
export interface StagedPlugin {
  readonly id: string;
  readonly main: string;
  readonly manifestJson: string;
  /** The module, as `bundleForRehearsal` makes it. */
  readonly code: string;
  readonly instances: number;
}

/** What the admin of the rehearsal has decided. */
export interface Decisions {
  readonly granted: Permissions;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** A kernel with one plugin in it, or none yet. */
export interface Rehearsal {
  /** Of the run that is under way; throws before the first. */
  readonly kernel: () => Kernel;
  readonly jobs: readonly EnqueuedJob[];
  /**
   * Runs the plugin, in place of what ran before; resolves when it runs, and rejects with a
   * {@link PluginFault} that says why it does not.
   */
  readonly run: (plugin: StagedPlugin, decisions: Decisions) => Promise<void>;
  /** Another module of the same plugin: the process is another, all that was stored stays. */
  readonly swap: (plugin: StagedPlugin) => Promise<void>;
  /** Tells the plugin what time it is. */
  readonly setTime: () => Promise<void>;
  /** Resolves when no call is under way and nothing is about to begin one. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the database in a new folder; no process is started yet. */
export async function openRehearsal(parts: RehearsalParts): Promise<Rehearsal> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-rehearsal-'));
  const storage = await openStorage({
    url: `sqlite:${path.join(folder, 'rehearsal.db')}`,
    migrations: [pluginMigrations, schedulerMigrations],
    log: parts.log,
  });
  return createRehearsal(parts, folder, storage);
}

interface Run {
  readonly kernel: Kernel;
  readonly network: Network;
  readonly wakes: PluginWakes;
  readonly plugin: StagedPlugin;
}

function createRehearsal(parts: RehearsalParts, folder: string, storage: Storage): Rehearsal {
  const { clock, log } = parts;
  const newId = createUuidV7({ now: clock.now });
  const secretSeal = createSecretBox(randomBytes(32), randomBytes);
  const jobs: EnqueuedJob[] = [];
  const host = findHostParts();
  const packages = path.join(folder, 'plugins');
  let underWay = 0;
  let quiet = Promise.withResolvers<undefined>();
  let current: Run | null = null;
  /** Settles when a start that has begun is over. */
  let starting: Promise<unknown> = Promise.resolve();

  const dispatch: KernelRehearsal['dispatch'] = async (call, next) => {
    underWay += 1;
    try {
      const outcome = await next({ ...call, timeoutMs: parts.deadlineMs(call) });
      parts.observe(call, outcome);
      return outcome;
    } finally {
      underWay -= 1;
      if (underWay === 0) {
        quiet.resolve(undefined);
        quiet = Promise.withResolvers();
      }
    }
  };

  const enqueue = async ({ type, libraryId = null, payload = {} }: NewJob): Promise<Job> => {
    const id = newId();
    jobs.push({ jobId: id, type, libraryId, payload });
    return { ...waitingJob, id, type, libraryId, payload, createdAt: toTimestamp(clock.now()) };
  };

  /** A timer of the kernel that goes off while the plugin waits to be started again starts it. */
  const kernelClock: Clock = {
    now: clock.now,
    after: (delayMs, run) =>
      clock.after(delayMs, () => {
        run();
        if (current && stateIn(current) === 'starting') starting = nextLife(current.kernel);
      }),
  };

  function compose(plugin: StagedPlugin): Run {
    const kernel = createKernel({
      storage,
      ...host,
      pluginSources: [{ folder: packages, type: 'local' }],
      cacheFolder: path.join(folder, 'cache'),
      packagesFolder: path.join(folder, 'packages'),
      secretSeal,
      serverVersion: kitVersion,
      newId,
      log,
      clock: kernelClock,
      rehearsal: { dispatch, service: parts.service },
    });
    const { plugins } = kernel;
    const network = createNetwork({
      cacheFolder: path.join(folder, 'cache'),
      allowedHosts: parts.allowedHosts ?? [],
      version: kitVersion,
      ratesOf: plugins.netRatesOf,
      grantedHosts: (id) => plugins.grantedTo(id).net ?? [],
      ...(parts.exchange && { exchange: parts.exchange }),
      clock: flowing(clock),
      log,
    });
    const isRunning = (id: string) => plugins.has(id) && plugins.get(id).state === 'running';
    const wakes = createPluginWakes({
      database: storage.database,
      call: kernel.call,
      isRunning,
      isKnown: plugins.has,
      clock,
      log,
    });
    kernel.provide(createFakeFiles(parts.library));
    kernel.provide(createFakeLibraryService(parts.library, storage.database));
    kernel.provide(network.service);
    kernel.provide(wakes.service);
    kernel.provide(createJobsService({ enqueue }));
    for (const name of ['plugin.started', 'plugin.restarted'] as const)
      kernel.events.listen(name, wakes.look);
    kernel.events.listen('plugin.restarted', () => void setTime());
    return { kernel, network, wakes, plugin };
  }

  async function write({ main, manifestJson, code }: StagedPlugin): Promise<void> {
    const at = path.join(packages, 'plugin');
    const file = path.join(at, ...main.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(path.join(at, 'manifest.json'), manifestJson);
    await writeFile(file, code);
  }

  async function endRun(): Promise<void> {
    const run = current;
    current = null;
    if (!run) return;
    await run.wakes.stop();
    await run.kernel.stop();
    await run.network.close();
  }

  async function run(plugin: StagedPlugin, decisions: Decisions): Promise<void> {
    await endRun();
    await write(plugin);
    const made = compose(plugin);
    current = made;
    const { plugins } = made.kernel;
    await made.kernel.start();
    await plugins.booted();
    assertTaken(made);
    // As on a server, where a plugin runs before anybody has entered anything.
    if (Object.keys(decisions.configuration).length > 0)
      await plugins.configure(plugin.id, decisions.configuration).catch(toFault);
    await plugins.grant(plugin.id, decisions.granted).catch(toFault);
    await began(made);
    await made.wakes.start();
  }

  async function swap(plugin: StagedPlugin): Promise<void> {
    if (!current) throw new Error('Nothing runs that could be swapped.');
    await write(plugin);
    current = { ...current, plugin };
    await current.kernel.plugins.restart(plugin.id).catch(toFault);
    await began(current);
  }

  async function began(made: Run): Promise<void> {
    const { plugins } = made.kernel;
    const { state, errorMessage } = plugins.get(made.plugin.id);
    if (state !== 'running')
      throw new PluginFault('not_started', errorMessage ?? `It is ${state}.`);
    await setTime();
  }

  async function setTime(): Promise<void> {
    if (!current || !parts.isTimeTold) return;
    const { kernel, plugin } = current;
    const running = kernel.plugins.find(plugin.id);
    const inputJson = JSON.stringify({ nowMs: clock.now() });
    if (!running) return;
    const tell = () => running.call({ method: guestMethods.setTime, inputJson, timeoutMs: 5000 });
    await Promise.all(Array.from({ length: plugin.instances }, tell));
  }

  /** What is due begins behind a read of the database; what was called ends behind a write. */
  async function settled(): Promise<void> {
    for (let still = 0; still < 3; still += 1) {
      await starting;
      await storage.database.write(async () => undefined);
      await storage.database.read.raw('select 1');
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) continue;
      await quiet.promise;
      still = -1;
    }
  }

  return {
    kernel: () => {
      if (current) return current.kernel;
      throw new Error('The plugin is closed.');
    },
    jobs,
    run,
    swap,
    setTime,
    settled,
    close: async () => {
      await endRun();
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nobody runs jobs here: each stays as it was made. */
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

const stateIn = ({ kernel: { plugins }, plugin }: Run) =>
  plugins.has(plugin.id) ? plugins.get(plugin.id).state : 'stopped';

/** Resolves when a plugin has started or failed to. */
function nextLife({ events }: Kernel): Promise<void> {
  return new Promise((resolve) => {
    const undos = (['plugin.started', 'plugin.restarted', 'plugin.error'] as const).map((name) =>
      events.listen(name, () => {
        for (const undo of undos) undo();
        resolve();
      }),
    );
  });
}

function assertTaken({ kernel, plugin }: Run): void {
  const skipped = kernel.plugins.skipped().find(({ reason }) => reason !== 'permissions-pending');
  if (skipped) throw new PluginFault(skipped.reason.replaceAll('-', '_'), skipped.message);
  if (!kernel.plugins.has(plugin.id)) throw new PluginFault('not_found', 'It was not found.');
}

/** An author reads what an admin would be told. */
function toFault(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  throw new PluginFault(String(error.code), error.message);
}

/** The network takes real time: whoever waits for a turn must not wait for the test. */
function flowing(clock: Clock): Clock {
  const begun = performance.now();
  return {
    now: () => clock.now() + Math.floor(performance.now() - begun),
    after: systemClock.after,
  };
}
