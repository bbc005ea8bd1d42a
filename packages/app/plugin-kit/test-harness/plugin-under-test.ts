/** The interface for tests of plugin authors: one plugin in a real sandbox, with its surroundings. */
import type {
  EventCatalogue,
  EventName,
  HookCatalogue,
  HookName,
  Manifest,
  MethodCatalogue,
  MethodName,
  Permissions,
  SecretScope,
  UISchema,
  ViewCatalogue,
  ViewName,
} from '../../../../plugin-api/index.ts';
import type { KernelErrorCode } from '../../../../kernel/index.ts';
import type { LogLine, PluginState, PluginUsage } from '../../../../kernel/run/index.ts';
import type { FakeLibrary, FakeLibraryPlan } from '../fakes/fake-library.ts';
import type { FakeViewing } from '../fakes/fake-viewing.ts';
import type { MadeViewer } from '../fakes/made-viewer.ts';
import type { GrantedLibraries } from './test-harness-reach.ts';

/** Options for opening a plugin. Each has a default. */
export interface OpenPluginOptions {
  /** The granted permissions; defaults to all that the manifest asks for. */
  readonly granted?: Permissions;
  /**
   * The libraries that the admin granted, by name: `Films`, or `Films=Kids` for a folder of it. The
   * plugin learns nothing of the others. Defaults to all libraries.
   */
  readonly libraries?: GrantedLibraries;
  /** The configuration values; defaults to those of the form. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** The moment at which the clock stands, in Unix milliseconds; now when absent. */
  readonly clock?: number;
  /** Answers of network hosts, as with {@link FakeNet.answer}. No request leaves the machine. */
  readonly hosts?: Readonly<Record<string, NetAnswer>>;
  /** The content of the libraries; a few items of each kind when absent. */
  readonly library?: FakeLibraryPlan;
  /**
   * The other plugins that `host.plugins.call` finds, by id, with the answers of their methods by name.
   * A method throws what the other plugin would throw. None when absent: every call is `not_found`.
   */
  readonly others?: OtherPlugins;
  /** Timeouts in milliseconds, read at each call; those of a server when absent. */
  readonly deadlines?: Deadlines;
}

/** Stand-ins for other plugins: `{ 'film-facts': { rating: ({ imdb }) => ({ stars: 4 }) } }`. */
export type OtherPlugins = Readonly<
  Record<string, Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>>>
>;

/** Timeouts of calls into the plugin by kind, in milliseconds. */
export interface Deadlines {
  /** 5000 on a server. */
  readonly event?: number;
  /** 30 000 on a server, and a second time for the one retry. */
  readonly hook?: number;
  /** 6000 on a server. */
  readonly view?: number;
  /** 30 000 on a server. */
  readonly action?: number;
  /** 30 000 for most methods. */
  readonly method?: number;
}

/**
 * A plugin that runs in an isolate of a plugin-host process of its own, as on a server: the same gate,
 * the same quotas, a key-value store and a text index in a database. Only the libraries, the network
 * and the time are fake. Close it at the end of the test, or write `await using`.
 *
 * @example
 * import { expect, test } from 'vitest';
 * import { openPlugin } from 'vitrine/plugin-test';
 *
 * test('counts what is added', async () => {
 *   await using plugin = await openPlugin(import.meta.dirname);
 *   const [item] = plugin.library.items();
 *
 *   await plugin.event('library.item.added', {
 *     itemId: item.id, libraryId: item.libraryId, title: item.title,
 *   });
 *
 *   expect(await plugin.action('count')).toBe(1);
 * });
 */
export interface PluginUnderTest {
  readonly id: string;
  readonly manifest: Manifest;
  /** Everything that the manifest asks for: `permissions`, and what follows from the rest of it. */
  readonly asked: Permissions;
  readonly library: FakeLibrary;
  readonly net: FakeNet;
  readonly faults: HostFaults;
  /** What profiles watched, marked and put in lists. */
  readonly viewing: FakeViewing;
  readonly clock: TestClock;
  /**
   * Emits an event, and resolves when the plugin has handled it. Rejects with a {@link PluginFault}
   * when its handler failed, and with `out_of_reach` when the event is withheld, since the library was
   * not granted. A server reports neither to the emitter. Hooks and views reject in the same way.
   */
  readonly event: <Name extends string>(
    name: Name,
    data: Name extends EventName ? EventCatalogue[Name] : Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  /**
   * Runs a hook's chain, with the one retry of a server, and gives the plugin's delta as it was
   * checked; `null` = no change. Rejects when a server would skip the plugin.
   */
  readonly hook: <Name extends HookName>(
    name: Name,
    input: HookCatalogue[Name]['input'],
  ) => Promise<HookCatalogue[Name]['delta'] | null>;
  /**
   * What the plugin shows in a view. Rejects for a piece that a server would drop. The viewer is an admin
   * who sees everything, or the one that `options` names.
   */
  readonly view: <Name extends ViewName>(
    slot: Name,
    context: ViewCatalogue[Name],
    options?: CallOptions,
  ) => Promise<readonly UISchema<string>[]>;
  /** Runs an action that the manifest lists, for an admin or for the viewer that `options` names. */
  readonly action: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ) => Promise<unknown>;
  /**
   * Calls a method that the plugin exports, as another plugin would: the input and the answer must fit
   * the schemas in the manifest. The caller is `other`, without a viewer, unless `options` says
   * otherwise.
   */
  readonly exported: (
    method: string,
    input?: Readonly<Record<string, unknown>>,
    options?: CallOptions & { readonly caller?: string },
  ) => Promise<unknown>;
  /**
   * Calls a method of a capability, such as `indexer.index` or `filesystem.list`. `search.query` runs for
   * an admin or for the viewer that `options` names; all other methods run without a viewer.
   */
  readonly call: <Name extends MethodName>(
    method: Name,
    input: MethodCatalogue[Name]['input'],
    options?: CallOptions,
  ) => Promise<MethodCatalogue[Name]['output']>;
  readonly state: () => PluginState;
  /** The console output of the plugin, and the server's log lines about it. Oldest first. */
  readonly logs: () => readonly LogLine[];
  /** Calls, CPU time, memory, and how many host calls were refused. */
  readonly usage: () => PluginUsage;
  /** Every call into the plugin so far; each attempt is one entry. */
  readonly dispatches: () => readonly Dispatched[];
  /** Events that the plugin has emitted. */
  readonly emitted: () => readonly { readonly type: string; readonly data: unknown }[];
  /** Jobs that the plugin has enqueued. */
  readonly jobs: () => readonly EnqueuedJob[];
  /** Notifications that the plugin sent to the admins. */
  readonly notifications: () => readonly {
    readonly level: 'info' | 'warning' | 'error';
    readonly title: string;
    readonly message?: string;
  }[];
  /** The admin enters a secret, which `host.net.fetch` may send to these hosts; to none when absent. */
  readonly setSecret: (
    name: string,
    value: string,
    options?: { readonly hosts?: readonly string[]; readonly scope?: SecretScope },
  ) => Promise<void>;
  /**
   * The admin grants something else, from this moment on; what is left out is denied. The libraries stay
   * as they are when absent.
   */
  readonly grant: (granted: Permissions, libraries?: GrantedLibraries) => Promise<void>;
  /** The admin enters other values. */
  readonly configure: (values: Readonly<Record<string, unknown>>) => Promise<void>;
  /**
   * A profile enters these values in its form, secrets too. `profile` is the name of a
   * {@link MadeViewer}, `someone` when absent. Resolves with the id that events have for the profile.
   */
  readonly configureProfile: (
    values: Readonly<Record<string, unknown>>,
    profile?: string,
  ) => Promise<{ readonly profileId: string }>;
  /**
   * A viewer lets the plugin act for their profile while they are away, or with `false` no longer:
   * `host.viewing.profiles` has them, and `host.as` acts for them with what they see.
   */
  readonly agree: (viewer?: MadeViewer, agrees?: boolean) => Promise<void>;
  /** Kills the plugin-host process, and resolves when the server has seen it. */
  readonly crash: () => Promise<void>;
  /** Kills the plugin-host process, and moves the clock until the server has started it again. */
  readonly restart: () => Promise<void>;
  /** Stops the plugin and removes everything that was made for it. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** For whom a plugin is called. */
export interface CallOptions {
  /** What `host.viewer` says, and what `host` gives no more than; an admin who sees everything when absent. */
  readonly viewer?: MadeViewer;
}

/** How one call into the plugin went. */
export interface Dispatched {
  /** `event.dispatch`, `hook.dispatch`, `view.dispatch`, `action.run`, `export.call`, or the method's own name. */
  readonly method: string;
  /** The event, hook, view, action or export; the method's name for a method. */
  readonly name: string;
  readonly outcome: 'returned' | 'threw' | 'timed-out' | 'unknown-handler';
  readonly durationMs: number;
  /** What it gave, when it returned. */
  readonly value?: unknown;
  /** Why not, when it threw. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** A job that the plugin has asked for. */
export interface EnqueuedJob {
  readonly jobId: string;
  readonly type: string;
  readonly libraryId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * The time, for the server and for `Date` inside the plugin. It stands still until it is moved; then
 * what falls due happens: `schedule.wake`, restarts, what a cache may still give.
 */
export interface TestClock {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Moves on, and resolves when everything that fell due meanwhile is done. */
  readonly advance: (byMs: number) => Promise<void>;
}

/** A request that reached the network. */
export interface NetRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer of a host. An object as `body` goes out as JSON, bytes as they are. */
export interface NetReply {
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** What is answered: always the same, by what was asked, or nothing. */
export type NetAnswer =
  | NetReply
  | 'unreachable'
  | 'timeout'
  | ((request: NetRequest) => NetReply | Promise<NetReply>);

/**
 * The network behind `host.net.fetch`. Permissions, limits, redirects and the cache are those of a
 * server; what is not answered here is `net_unreachable`.
 */
export interface FakeNet {
  /**
   * Answers requests whose address begins so: `api.example.org`, `api.example.org/films`,
   * `https://api.example.org/films?q=`. Of several the longest counts; one again replaces the first.
   */
  readonly answer: (address: string, answer: NetAnswer) => void;
  /** Every request so far, oldest first. What came out of the cache is not among them. */
  readonly requests: () => readonly NetRequest[];
}

/** A code that a host call can be refused with. */
export type HostFaultCode = KernelErrorCode;

/**
 * Faults of the host, on demand. A call is named `kv.set`; `kv.*` is every call of the service, `*`
 * every call. What an admin has not granted is denied by itself: see {@link PluginUnderTest.grant}.
 */
export interface HostFaults {
  /** The next calls reject: one, or as many as `times` says. `overloaded` when no code is given. */
  readonly refuse: (
    call: string,
    fault?: { readonly code?: HostFaultCode; readonly message?: string; readonly times?: number },
  ) => void;
  /** The next calls are never answered: who waits for one runs into the deadline. */
  readonly hang: (call: string, times?: number) => void;
  /** Resolves when a call of the last `hang` has been made: to kill the plugin in the middle of it. */
  readonly hung: () => Promise<void>;
  /** Takes back what has not happened yet. */
  readonly clear: () => void;
}
