/**
 * One plugin in a kernel of its own: real sandbox, gate, database, hooks and events; fake libraries
 * and a fake network. Tests and `vitrine plugin dev` use it. The database is kept
 * from one run of the kernel to the next, so stored data of a plugin survives a reload.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createKernel,
  type DispatchViewer,
  type Kernel,
  type Interceptor,
} from '../../../../kernel/index.ts';
import { openStorage, type Storage } from '../../../../kernel/store/index.ts';
import { pluginMigrations } from '../../../../kernel/run/index.ts';
import { localesFolder } from '../../../../kernel/run/locales/index.ts';
import type { Permissions } from '../../../../plugin-api/index.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { eventLogMigrations } from '../../../../src/plugins/event-log/index.ts';
import { schedulerMigrations } from '../../../../src/work/scheduler/index.ts';
import { createPluginViewers, type PluginReach } from '../../../../src/plugins/scopes/index.ts';
import { createSecretBox } from '../../../../src/platform/secrets/index.ts';
import { createUuidV7 } from '../../../../src/platform/uuid-v7.ts';
import { findHostParts, kitVersion } from './built-parts.ts';
import { guestMethods } from '../packing/guest-test-harness.ts';
import { madeViewer, profileIdOf, usualProfile, type MadeViewer } from '../fakes/made-viewer.ts';
import { ViewingState } from '../fakes/fake-viewing.ts';
import { PluginFault } from '../packing/plugin-fault.ts';
import type { FakeLibrary } from '../fakes/fake-library.ts';
import type { TestHarnessParts } from './test-harness-parts.ts';
import {
  createTestHarnessReach,
  libraryWithin,
  toGrantRequest,
  type GrantedLibraries,
} from './test-harness-reach.ts';
import {
  createTestHarnessServices,
  type TestHarnessServices,
  type Requested,
} from './test-harness-services.ts';

/** A plugin that is to be run: what is written into the folder that the kernel reads. */
export interface StagedPlugin {
  readonly id: string;
  readonly main: string;
  readonly manifestJson: string;
  /** The texts of its language files, by their paths. */
  readonly localeTexts: ReadonlyMap<string, string>;
  /** The module, as `bundleForTestHarness` makes it. */
  readonly code: string;
  readonly instances: number;
}

/** The grant and the settings of the admin. */
export interface Decisions {
  readonly granted: Permissions;
  /** As it was when absent: all of them at first. */
  readonly libraries?: GrantedLibraries | undefined;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** A kernel with one plugin in it, or none yet. */
export interface TestHarness {
  /** The kernel of the current run; throws before the first run. */
  readonly kernel: () => Kernel;
  /** The admin grants this, from now on. Rejects with a {@link PluginFault} for an invalid grant. */
  readonly grant: (decisions: Omit<Decisions, 'configuration'>) => Promise<void>;
  /** A viewer for whom the plugin is called. */
  readonly viewer: (made: MadeViewer) => DispatchViewer;
  /** The fake library with only the items that the plugin may access. */
  readonly libraryWithin: () => Promise<FakeLibrary>;
  /** Jobs and notifications that the plugin requested. */
  readonly requested: Requested;
  /** What profiles watched, marked and put in lists. */
  readonly viewing: ViewingState;
  /** A profile lets the plugin act for it while it is away, or no longer. */
  readonly agree: (made: MadeViewer, agrees: boolean) => Promise<void>;
  /**
   * Runs the plugin, in place of what ran before; resolves when it runs, and rejects with a
   * {@link PluginFault} that says why it does not.
   */
  readonly run: (plugin: StagedPlugin, decisions: Decisions) => Promise<void>;
  /** Replaces the module of the plugin: the process is new, stored data stays. */
  readonly swap: (plugin: StagedPlugin) => Promise<void>;
  /** Sets the time in the plugin. */
  readonly setTime: () => Promise<void>;
  /** Resolves when no call is under way and nothing is about to begin one. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the database in a new folder; no process is started yet. */
export async function openTestHarness(parts: TestHarnessParts): Promise<TestHarness> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-test-harness-'));
  const storage = await openStorage({
    url: `sqlite:${path.join(folder, 'test-harness.db')}`,
    migrations: [pluginMigrations, schedulerMigrations, eventLogMigrations],
    log: parts.log,
  });
  return createTestHarness(parts, folder, storage);
}

interface Run {
  readonly kernel: Kernel;
  readonly services: TestHarnessServices;
  readonly reach: PluginReach;
  readonly plugin: StagedPlugin;
}

function createTestHarness(parts: TestHarnessParts, folder: string, storage: Storage): TestHarness {
  const { clock, log } = parts;
  const newId = createUuidV7({ now: clock.now });
  const secretSeal = createSecretBox(randomBytes(32), randomBytes);
  // The same pseudonyms in each run, so that a test can compare them.
  const viewers = createPluginViewers(Buffer.alloc(32));
  const requested: Requested = { jobs: [], notices: [] };
  const viewing = new ViewingState();
  /** Those who agreed, by the ids of their profiles. */
  const people = new Map<string, MadeViewer>();
  const host = findHostParts();
  const packages = path.join(folder, 'plugins');
  let underWay = 0;
  let quiet = Promise.withResolvers<undefined>();
  let current: Run | null = null;
  /** Settles when a start that has begun is over. */
  let starting: Promise<unknown> = Promise.resolve();

  const dispatch: Interceptor['dispatch'] = async (call, next) => {
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
    const { library, withheld } = parts;
    const reach = createTestHarnessReach({
      library,
      kernel: () => kernel,
      viewers,
      people,
      withheld,
    });
    const kernel: Kernel = createKernel({
      storage,
      ...host,
      judge: reach,
      pluginSources: [{ folder: packages, type: 'local' }],
      cacheFolder: path.join(folder, 'cache'),
      packagesFolder: path.join(folder, 'packages'),
      secretSeal,
      hasSecretScope: async () => true,
      profileIn: viewers.profileIn,
      serverVersion: kitVersion,
      newId,
      log,
      clock: kernelClock,
      interceptor: { dispatch, service: parts.service },
    });
    const services = createTestHarnessServices({
      ...parts,
      kernel,
      storage,
      reach,
      folder,
      requested,
      viewing,
      newId,
    });
    kernel.events.listen('plugin.restarted', () => void setTime());
    return { kernel, services, reach, plugin };
  }

  async function write({ main, manifestJson, localeTexts, code }: StagedPlugin): Promise<void> {
    const at = path.join(packages, 'plugin');
    const file = path.join(at, ...main.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(path.join(at, 'manifest.json'), manifestJson);
    await rm(path.join(at, localesFolder), { recursive: true, force: true });
    await mkdir(path.join(at, localesFolder));
    for (const [name, text] of localeTexts) await writeFile(path.join(at, name), text);
    await writeFile(file, code);
  }

  async function endRun(): Promise<void> {
    const run = current;
    current = null;
    if (!run) return;
    await run.services.stop();
    await run.kernel.stop();
    await run.services.close();
  }

  async function run(plugin: StagedPlugin, decisions: Decisions): Promise<void> {
    await endRun();
    await write(plugin);
    const made = compose(plugin);
    current = made;
    const { plugins } = made.kernel;
    await made.services.open();
    await made.kernel.start();
    await plugins.lifecycle.booted();
    assertTaken(made);
    // As on a server, where a plugin runs before an admin has entered any values.
    if (Object.keys(decisions.configuration).length > 0)
      await plugins.configuration.set(plugin.id, decisions.configuration).catch(toFault);
    await grantTo(made, decisions);
    await began(made);
    await made.services.start();
  }

  async function grantTo(
    { kernel, plugin }: Run,
    { granted, libraries }: Omit<Decisions, 'configuration'>,
  ): Promise<void> {
    const reach = libraries && toGrantRequest(libraries, parts.library);
    await kernel.plugins.grants.set(plugin.id, granted, { reach }).catch(toFault);
  }

  async function swap(plugin: StagedPlugin): Promise<void> {
    if (!current) throw new Error('There is no running plugin to replace.');
    await write(plugin);
    current = { ...current, plugin };
    await current.kernel.plugins.lifecycle.restart(plugin.id).catch(toFault);
    await began(current);
  }

  async function began(made: Run): Promise<void> {
    const { plugins } = made.kernel;
    const { state, errorMessage } = plugins.registry.get(made.plugin.id);
    if (state !== 'running')
      throw new PluginFault('not_started', errorMessage ?? `It is ${state}.`);
    await setTime();
  }

  async function setTime(): Promise<void> {
    if (!current || !parts.isTimeTold) return;
    const { kernel, plugin } = current;
    const guest = kernel.plugins.lifecycle.running(plugin.id);
    const inputJson = JSON.stringify({ nowMs: clock.now() });
    if (!guest) return;
    const tell = () => guest.call({ method: guestMethods.setTime, inputJson, timeoutMs: 5000 });
    await Promise.all(Array.from({ length: plugin.instances }, tell));
  }

  /** What is due begins behind a read of the database; what was called ends behind a write. */
  async function settled(): Promise<void> {
    for (let still = 0; still < 3; still += 1) {
      await starting;
      await current?.services.flush();
      await storage.database.write(async () => undefined);
      await storage.database.read.raw('select 1');
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) continue;
      await quiet.promise;
      still = -1;
    }
  }

  function running(): Run {
    if (current) return current;
    throw new Error('The plugin is closed.');
  }

  return {
    kernel: () => running().kernel,
    grant: (decisions) => grantTo(running(), decisions),
    viewer: (made) => madeViewer(made, parts.library, viewers),
    libraryWithin: () => libraryWithin(parts.library, running().plugin.id, running()),
    requested,
    viewing,
    agree: async (made, agrees) => {
      const profileId = profileIdOf(made.profile ?? usualProfile);
      people.set(profileId, made);
      const { kernel, plugin } = running();
      await kernel.plugins.profileSettings.agree(plugin.id, profileId, { agrees }).catch(toFault);
    },
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

const stateIn = ({ kernel: { plugins }, plugin }: Run) =>
  plugins.registry.has(plugin.id) ? plugins.registry.get(plugin.id).state : 'stopped';

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
  const skipped = kernel.plugins.registry
    .skipped()
    .find(({ reason }) => reason !== 'permissions-pending');
  if (skipped) throw new PluginFault(skipped.reason.replaceAll('-', '_'), skipped.message);
  if (!kernel.plugins.registry.has(plugin.id))
    throw new PluginFault('not_found', 'It was not found.');
}

/** The author gets the message that an admin would get. */
function toFault(error: unknown): never {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  throw new PluginFault(String(error.code), error.message);
}
