/**
 * Wires the parts of the kernel and orders start and stop. Plugins start last and stop first, so all
 * that they call is available while they run.
 */
import type { MethodCatalogue, MethodName } from '../plugin-api/index.ts';
import { createDispatcher, type DispatcherParts } from './call/dispatch.ts';
import type { DispatchViewer } from './call/dispatch-viewer.ts';
import { KernelError } from './errors.ts';
import { failureOf, type NoteFailure } from './call/failure.ts';
import { createEventBus, type EventBus, type EventBusParts } from './call/events/index.ts';
import { createHookChains, type HookChains } from './call/hooks/index.ts';
import type { HostService, Undo } from './call/host-service.ts';
import type { Log } from './log.ts';
import { scopedDispatcher, withheldCode } from './call/scoped-dispatch.ts';
import { denyAll, type ReachPolicy } from './call/reach.ts';
import {
  interceptedDispatcher,
  interceptedServices,
  type Interceptor,
} from './call/interceptor.ts';
import {
  createPlugins,
  createServices,
  type Alongside,
  type Clock,
  type FailingPlugin,
  type PackageChange,
  type OnLostProvider,
  type PluginSource,
  type Plugins,
  type RefusedUse,
  type SecretSeal,
} from './run/index.ts';
import type { HasSecretScope } from './run/secrets/index.ts';
import {
  createSandboxes,
  type HostReport,
  type IsolationMode,
  type IsolationReport,
} from './run/sandbox/index.ts';
import { createKvService, createTextIndexService, type Storage } from './store/index.ts';
import { suspendedDispatcher } from './call/suspended-dispatch.ts';
import { createViewAggregator, type ViewAggregator } from './call/views/index.ts';

/** Calls one method of one plugin. */
export type CallPlugin = <Name extends MethodName>(
  pluginId: string,
  method: Name,
  input: MethodCatalogue[Name]['input'],
  options: {
    readonly timeoutMs: number;
    /** The resource that the call concerns, where the input does not name it. For the reach policy. */
    readonly subject?: unknown;
    /** The person who caused the call; absent when no person did. */
    readonly viewer?: DispatchViewer;
    /** The plugin may be without a handler for it: the call fails, and nothing is logged. */
    readonly isOptional?: boolean;
    /** Throws when the answer has the wrong shape: the fault is then a failure of the plugin. */
    readonly check?: (answer: unknown) => void;
  },
) => Promise<unknown>;

/** The microkernel. */
export interface Kernel {
  readonly events: EventBus;
  readonly hooks: HookChains;
  readonly views: ViewAggregator;
  readonly storage: Storage;
  readonly plugins: Plugins;
  /** Registers a host service: `host.<name>`. All are registered before the start. */
  readonly provide: (service: HostService) => Undo;
  /**
   * Calls a method of a plugin that provides a capability. The reply is untrusted: the caller parses
   * it. Throws `plugin_not_running`, `permission_denied` when the plugin was not granted the resource
   * of the input, or `plugin_failed` with what the plugin threw as its cause (`unknown_handler` when
   * the plugin has no handler for the method).
   */
  readonly call: CallPlugin;
  /** The plugin-host processes, for the operator. */
  readonly hosts: () => readonly HostReport[];
  /** How the processes of installed plugins are isolated. The first call examines this and logs it. */
  readonly isolation: () => Promise<IsolationReport>;
  /** Resolves when all built-ins run or have failed. */
  readonly start: () => Promise<void>;
  /** Starts the process of the built-ins early, since that takes a while. */
  readonly warm: () => void;
  /** Stops the plugins and ends their processes. The storage stays open. */
  readonly stop: () => Promise<void>;
}

export interface KernelParts {
  /** With the tables of `pluginMigrations`. */
  readonly storage: Storage;
  /** Node 24, which runs the plugin hosts. */
  readonly nodePath: string;
  /** The built plugin host. */
  readonly hostScript: string;
  /** Text of the built guest runtime. */
  readonly guestRuntime: string;
  /** Isolation of the processes of installed plugins; `process` when absent. */
  readonly pluginIsolation?: IsolationMode;
  readonly pluginSources: readonly PluginSource[];
  readonly cacheFolder: string;
  /** Scripts of built-in plugins that were packed with the server. */
  readonly builtScripts?: string;
  /** The folder of the code of marketplace plugins. */
  readonly packagesFolder: string;
  /** Written in the transaction of a package change that the server makes by itself. */
  readonly onPackageChange?: (change: PackageChange) => Alongside;
  /** Encrypts the secrets of configurations, and the secrets that plugins use without reading them. */
  readonly secretSeal: SecretSeal;
  /** Whether a library or user exists that a secret may belong to; none exists when absent. */
  readonly hasSecretScope?: HasSecretScope;
  /** The name of a profile inside a plugin; its id when absent. */
  readonly profileIn?: (pluginId: string, profileId: string) => string;
  /** Decides what a limited grant reaches; absent where grants cannot be limited. */
  readonly judge?: ReachPolicy;
  /** Other servers work on the database as well. */
  readonly isShared?: boolean;
  readonly serverVersion: string;
  /** Sends events to the server that runs the plugins, in a cluster: see `EventBusParts`. */
  readonly relay?: EventBusParts['relay'];
  /** When the delivery of many events continues: see `EventBusParts`. */
  readonly nextTurn?: EventBusParts['nextTurn'];
  /** Called when a provider stops serving a key. */
  readonly onLostProvider?: OnLostProvider;
  /** Called when a plugin serves all keys again for which it was chosen, or lost the choice. */
  readonly onSettledProvider?: (pluginId: string) => void;
  /** Why no plugin may reach a host, after its name; `null` = an admin decides. */
  readonly hostFault?: (host: string) => string | null;
  /** Called for each refused use of a power. */
  readonly onRefusal?: (refusal: RefusedUse) => void;
  /** Called when a plugin fails often. */
  readonly onOftenFailing?: (failing: FailingPlugin) => void;
  /** Called when a handler of a plugin is suspended while no other one of it is. */
  readonly onSuspended?: NonNullable<Parameters<typeof createPlugins>[0]['onSuspended']>;
  /** Called when no handler of a plugin is suspended any longer, and when it starts. */
  readonly onNoneSuspended?: (pluginId: string) => void;
  readonly newId: () => string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Called after every call into a plugin. */
  readonly observeCalls?: DispatcherParts['observe'];
  /** For authors who try out their plugins. */
  readonly interceptor?: Interceptor;
}

const drainTimeoutMs = 1000;

/** Creates a kernel; no process is started yet. */
export function createKernel(parts: KernelParts): Kernel {
  const { storage, log, nodePath, hostScript, guestRuntime, interceptor } = parts;
  const onFailure: NoteFailure = (...failed) => plugins.usage.noteFailure(...failed);
  const { pluginIsolation: isolation = 'process' } = parts;
  const sandboxes = createSandboxes({ nodePath, hostScript, guestRuntime, isolation, log });
  const found = createDispatcher({
    find: (id) => plugins.lifecycle.running(id),
    log,
    observe: (call, outcome, stack) => {
      plugins.usage.noteCall(call, outcome);
      const failure = failureOf(call, outcome);
      if (failure) onFailure(call.pluginId, failure, stack);
      parts.observeCalls?.(call, outcome);
    },
  });
  const answering = suspendedDispatcher(found, (called) => plugins.lifecycle.suspensionOf(called));
  const dispatcher = scopedDispatcher(interceptedDispatcher(answering, interceptor), {
    reachOf: (id) => plugins.grants.reachOf(id),
    isOwn: (id) => plugins.registry.isOwn(id),
    judge: parts.judge ?? denyAll,
  });
  const events = createEventBus({
    dispatcher,
    log,
    canReceive: (id, type) => plugins.grants.canReceive(id, type),
    ...(parts.relay && { relay: parts.relay }),
    ...(parts.nextTurn && { nextTurn: parts.nextTurn }),
  });
  const hooks = createHookChains({ dispatcher, log, onFailure });
  const views = createViewAggregator({
    dispatcher,
    log,
    onFailure,
    actionsOf: (id) => plugins.actions.of(id),
    textOf: (id, asked) => plugins.registry.textOf(id, asked),
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
  services.provide(createTextIndexService(storage.textIndex));

  /** The author finds the fault in the log and the failures of the plugin. */
  function checkAnswer(pluginId: string, handler: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.warn({ pluginId }, message);
      onFailure(pluginId, { kind: 'reply-refused', handler, message, durationMs: null });
      throw error;
    }
  }

  const call: CallPlugin = async (pluginId, method, input, options) => {
    const { timeoutMs, subject, viewer, isOptional, check } = options;
    const inputJson = JSON.stringify(input);
    const asked = { pluginId, method, inputJson, timeoutMs, subject, viewer, isOptional };
    const outcome = await dispatcher.dispatch(asked);
    switch (outcome.kind) {
      case 'returned':
        checkAnswer(pluginId, method, () => check?.(outcome.value));
        return outcome.value;
      case 'threw':
        if (outcome.code === withheldCode)
          throw new KernelError('permission_denied', `the resource that ${method} concerns`);
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
    start: plugins.lifecycle.start,
    async stop() {
      await events.drain(drainTimeoutMs);
      await plugins.lifecycle.stop();
      await sandboxes.stop();
    },
  };
}
