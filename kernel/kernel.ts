/**
 * Ties the parts of the kernel together and orders their start and stop: plugins come last and go
 * first, so whatever they call is there as long as they are.
 */
import type { MethodCatalogue, MethodName } from '../plugin-api/index.ts';
import { createDispatcher, type DispatcherParts } from './dispatch.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';
import { KernelError } from './errors.ts';
import { failureOf, type NoteFailure } from './failure.ts';
import { createEventBus, type EventBus, type EventBusParts } from './events/index.ts';
import { createHookChains, type HookChains } from './hooks/index.ts';
import type { HostService, Undo } from './host-service.ts';
import type { Log } from './log.ts';
import { scopedDispatcher, withheldCode } from './scoped-dispatch.ts';
import { denyAll, type ReachPolicy } from './reach.ts';
import { interceptedDispatcher, interceptedServices, type Interceptor } from './interceptor.ts';
import {
  createPlugins,
  createServices,
  type Alongside,
  type Clock,
  type FailingPlugin,
  type HasSecretScope,
  type KeptPowers,
  type PackageChange,
  type OnLostProvider,
  type PluginSource,
  type Plugins,
  type RefusedUse,
  type SecretSeal,
} from './plugins/index.ts';
import {
  createSandboxes,
  type HostReport,
  type IsolationMode,
  type IsolationReport,
} from './sandbox/index.ts';
import {
  createKvService,
  createTextIndexService,
  type OnTextHits,
  type Storage,
} from './storage/index.ts';
import { suspendedDispatcher } from './suspended-dispatch.ts';
import { createViewAggregator, type ViewAggregator } from './views/index.ts';

/** Calls one method of one plugin. */
export type CallPlugin = <Name extends MethodName>(
  pluginId: string,
  method: Name,
  input: MethodCatalogue[Name]['input'],
  options: {
    readonly timeoutMs: number;
    /** What it is about, where the input does not say: for whoever judges the reach of the plugin. */
    readonly subject?: unknown;
    /** The person who caused it; nobody did when absent. */
    readonly viewer?: DispatchViewer;
  },
) => Promise<unknown>;

/** The microkernel: four things for plugins, and the way to call one. */
export interface Kernel {
  readonly events: EventBus;
  readonly hooks: HookChains;
  readonly views: ViewAggregator;
  readonly storage: Storage;
  readonly plugins: Plugins;
  /** Offers a host service to plugins: `host.<name>`. All are offered before the start. */
  readonly provide: (service: HostService) => Undo;
  /**
   * Calls a method of a plugin that provides a capability. What it gives is a stranger's words and
   * is parsed by whoever asked. Throws `plugin_not_running`, `permission_denied` when the input tells
   * of what an admin kept from the plugin, or `plugin_failed` with what the plugin threw as its cause
   * (`unknown_handler` when it has none for the method).
   */
  readonly call: CallPlugin;
  /** The plugin-host processes, for the operator. */
  readonly hosts: () => readonly HostReport[];
  /** What the process of an installed plugin has around it. The first question looks, and the log tells. */
  readonly isolation: () => Promise<IsolationReport>;
  /** Resolves when all built-ins run or have failed. */
  readonly start: () => Promise<void>;
  /** Starts the process of the built-ins ahead; it needs a while that others can use. */
  readonly warm: () => void;
  /** Stops the plugins and ends their processes. The storage is closed by whoever opened it. */
  readonly stop: () => Promise<void>;
}

/** What a kernel is made of. */
export interface KernelParts {
  /** With the tables of `pluginMigrations`. */
  readonly storage: Storage;
  /** Node 24, which runs the plugin hosts. */
  readonly nodePath: string;
  /** The built plugin host. */
  readonly hostScript: string;
  /** Text of the built guest runtime. */
  readonly guestRuntime: string;
  /** Of the processes of installed plugins; `process` when absent. */
  readonly pluginIsolation?: IsolationMode;
  readonly pluginSources: readonly PluginSource[];
  readonly cacheFolder: string;
  /** Where the code of marketplace plugins is. */
  readonly packagesFolder: string;
  /** What is written in the transaction of what the server does with a package by itself. */
  readonly witness?: (change: PackageChange) => Alongside;
  /** For the secrets that plugins are configured with, and those that they use and never see. */
  readonly secretSeal: SecretSeal;
  /** Whether there is a library or user that a secret may be kept for; none is when absent. */
  readonly hasSecretScope?: HasSecretScope;
  /** Knows what plugins may be narrowed to; absent where there is nothing to narrow them to. */
  readonly judge?: ReachPolicy;
  /** Other servers work on the database as well. */
  readonly isShared?: boolean;
  readonly serverVersion: string;
  /** Takes events to the plugins' processes, where several servers are one: see `EventBusParts`. */
  readonly relay?: EventBusParts['relay'];
  /** When the delivery of many events goes on: see `EventBusParts`. */
  readonly nextTurn?: EventBusParts['nextTurn'];
  /** What is written in the transaction in which a grant from before these powers gets its whole form. */
  readonly onKeptPowers?: (kept: KeptPowers) => Alongside;
  /** Hears of a plugin that answered for something, and does not any more. */
  readonly onLostProvider?: OnLostProvider;
  /** Hears of each use of a power that is refused. */
  readonly onRefusal?: (refusal: RefusedUse) => void;
  /** Hears of a plugin that fails often. */
  readonly onOftenFailing?: (failing: FailingPlugin) => void;
  readonly onTextHits?: OnTextHits;
  readonly newId: () => string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Told of every call into a plugin when it has ended. */
  readonly observeCalls?: DispatcherParts['observe'];
  /** For authors who try their plugins out. */
  readonly interceptor?: Interceptor;
}

const drainTimeoutMs = 1000;

/** Creates a kernel; no process is started yet. */
export function createKernel(parts: KernelParts): Kernel {
  const { storage, log, nodePath, hostScript, guestRuntime, interceptor } = parts;
  const onFailure: NoteFailure = (...failed) => plugins.noteFailure(...failed);
  const { pluginIsolation: isolation = 'process' } = parts;
  const sandboxes = createSandboxes({ nodePath, hostScript, guestRuntime, isolation, log });
  const found = createDispatcher({
    find: (id) => plugins.find(id),
    log,
    observe: (call, outcome, stack) => {
      plugins.noteCall(call, outcome);
      const failure = failureOf(call, outcome);
      if (failure) onFailure(call.pluginId, failure, stack);
      parts.observeCalls?.(call, outcome);
    },
  });
  const answering = suspendedDispatcher(found, (called) => plugins.suspensionOf(called));
  const dispatcher = scopedDispatcher(interceptedDispatcher(answering, interceptor), {
    reachOf: (id) => plugins.reachOf(id),
    isOwn: (id) => plugins.isOwn(id),
    judge: parts.judge ?? denyAll,
  });
  const events = createEventBus({
    dispatcher,
    log,
    canReceive: (id, type) => plugins.canReceive(id, type),
    ...(parts.relay && { relay: parts.relay }),
    ...(parts.nextTurn && { nextTurn: parts.nextTurn }),
  });
  const hooks = createHookChains({ dispatcher, log, onFailure });
  const views = createViewAggregator({
    dispatcher,
    log,
    onFailure,
    actionsOf: (id) => plugins.actionsOf(id),
  });
  const services = interceptedServices(createServices(), interceptor);
  const plugins: Plugins = createPlugins({
    ...parts,
    sandboxes,
    dispatcher,
    events,
    hooks,
    views,
    services,
    database: storage.database,
    sources: parts.pluginSources,
    forgetIndex: storage.textIndex.forget,
    keptBytes: { kv: storage.kv.usedBytes, textIndex: storage.textIndex.bytes },
  });
  services.provide(createKvService(storage.kv));
  services.provide(createTextIndexService(storage.textIndex, parts.onTextHits));

  const call: CallPlugin = async (pluginId, method, input, { timeoutMs, subject, viewer }) => {
    const inputJson = JSON.stringify(input);
    const asked = { pluginId, method, inputJson, timeoutMs, subject, viewer };
    const outcome = await dispatcher.dispatch(asked);
    switch (outcome.kind) {
      case 'returned':
        return outcome.value;
      case 'threw':
        if (outcome.code === withheldCode)
          throw new KernelError('permission_denied', `what ${method} is about`);
        throw outcome.code === 'plugin_not_running'
          ? new KernelError('plugin_not_running', pluginId)
          : new KernelError('plugin_failed', `${pluginId} ${method}: ${outcome.message}`, {
              cause: { code: outcome.code, message: outcome.message },
            });
      case 'timed-out':
        throw new KernelError(
          'plugin_failed',
          `${pluginId} ${method}: no answer in ${timeoutMs} ms.`,
        );
      case 'unknown-handler':
        throw new KernelError('plugin_failed', `${pluginId} has no handler for ${method}.`, {
          cause: { code: 'unknown_handler', message: `There is no handler for ${method}.` },
        });
    }
  };

  return {
    events,
    hooks,
    views,
    storage,
    plugins,
    provide: services.provide,
    call,
    hosts: sandboxes.report,
    isolation: sandboxes.isolation,
    warm: sandboxes.warm,
    start: plugins.start,
    async stop() {
      await events.drain(drainTimeoutMs);
      await plugins.stop();
      await sandboxes.stop();
    },
  };
}
