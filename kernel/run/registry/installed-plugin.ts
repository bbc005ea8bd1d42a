/** One installed plugin: its package, the admin's decisions, its lifecycle, its log and its usage. */
import { createHash } from 'node:crypto';
import type {
  ConfigField,
  HookSubscription,
  Manifest,
  Permissions,
} from '../../../plugin-api/index.ts';
import { shownFields } from '../manifest/config-values.ts';
import { KernelError } from '../../errors.ts';
import type { DispatchCall, Dispatcher } from '../../call/dispatch.ts';
import { handlerOf, type Failure } from '../../call/failure.ts';
import { guestWords } from '../../foreign-text.ts';
import type { Undo } from '../../call/host-service.ts';
import type { Outcome } from '../../call/outcome.ts';
import type { Suspension } from '../../call/suspended-dispatch.ts';
import type { Reach, ReachPolicy } from '../../call/reach.ts';
import type { LogEntry, Sandbox, Sandboxes, SandboxUsage } from '../sandbox/index.ts';
import { effectiveValues, fittingValues, type ConfigValues } from '../settings/form-values.ts';
import { translated } from '../locales/index.ts';
import { maxSourceBytes, type PluginPackage } from '../packages/discovery.ts';
import { createFailurePlaces, type FailurePlaces } from '../supervision/failure-places.ts';
import { createFailureLog, type FailingPlugin, type FailureLog } from '../usage/failure-log.ts';
import { createGate, type GateCounters } from '../permissions/gate.ts';
import { startInstances } from '../supervision/instances.ts';
import { createOnDemand } from '../supervision/on-demand.ts';
import { packageBytes, readPackageFile } from '../packages/package-folder.ts';
import { groupOfEvent, type EventBus } from '../../call/events/index.ts';
import type { HookChains } from '../../call/hooks/index.ts';
import type { Log } from '../../log.ts';
import type { ViewAggregator } from '../../call/views/index.ts';
import type { Clock } from '../plugin/clock.ts';
import type { ProfileAgreements } from '../settings/profile-agreements.ts';
import type { Services } from '../permissions/services.ts';
import type { RefusedUse } from '../usage/power-log.ts';
import { clamp, excess } from '../powers/permissions.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import { powersAsked } from '../powers/powers-asked.ts';
import { createPluginLog, type PluginLog } from '../usage/plugin-log.ts';
import {
  createPluginSecrets,
  type PluginSecrets,
  type SecretSeal,
} from '../settings/plugin-secrets.ts';
import type { PluginSettings } from '../settings/plugin-store.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { PluginUsage, QuotaUse } from '../usage/plugin-usage.ts';
import { addRun, noUsage } from '../usage/run-usage.ts';
import type { Packer } from '../scripts/packer.ts';
import { callEnd } from '../supervision/call-end.ts';
import {
  createSuspensions,
  type SuspendedHandler,
  type Suspensions,
} from '../supervision/suspensions.ts';
import { createMeter, quotaUse, type Meter } from '../usage/meter.ts';
import { quotasOf, type Quotas } from '../usage/quotas.ts';
import { withPlaces } from '../supervision/start-failure.ts';
import {
  shutDown,
  Supervisor,
  type LifeEvent,
  type SupervisorParts,
} from '../supervision/supervisor.ts';

type OnGone = Parameters<SupervisorParts['launch']>[0];

const mebibyte = 1_048_576;

export interface InstalledPluginParts {
  readonly sandboxes: Pick<Sandboxes, 'start'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'unknownHandlers'>;
  readonly events: Pick<EventBus, 'emit' | 'subscribePlugin' | 'counters'>;
  readonly hooks: Pick<HookChains, 'subscribe'>;
  readonly views: Pick<ViewAggregator, 'subscribe'>;
  /** `config` and `events` are provided by the plugins themselves. */
  readonly services: Services;
  /** Encrypts the secrets of configuration forms, and those that plugins use without reading them. */
  readonly secretSeal: SecretSeal;
  readonly newId: () => string;
  readonly log: Log;
  /** Called for each refused use of a power. */
  readonly onRefusal?: (refusal: RefusedUse) => void;
  /** Called when a plugin fails often. */
  readonly onOftenFailing?: (failing: FailingPlugin) => void;
  /** Called when a handler of a plugin is suspended while no other one of it is. */
  readonly onSuspended?: (suspended: SuspendedPlugin) => void;
  /** Called when no handler of a plugin is suspended any longer, and when it starts. */
  readonly onNoneSuspended?: (pluginId: string) => void;
  /** Bytes that a plugin stores in the database; not measured when absent. */
  readonly keptBytes?: {
    readonly kv: (pluginId: string) => Promise<number>;
    readonly textIndex: (pluginId: string) => Promise<number>;
  };
  readonly clock: Clock;
  readonly packer: Packer;
  readonly judge: ReachPolicy;
  /** What a profile agreed to, by its name inside a plugin. */
  readonly agreed: ProfileAgreements['find'];
  readonly onChange: () => void;
  readonly onLife: (plugin: InstalledPlugin, event: LifeEvent) => void;
}

/** A plugin of which a handler was suspended. */
export interface SuspendedPlugin extends SuspendedHandler {
  readonly pluginId: string;
  readonly name: string;
}

/** An installed plugin, running or not. */
export class InstalledPlugin {
  readonly package: PluginPackage;
  /** All that it asks for. */
  readonly asked: Permissions;
  readonly #slug: string;
  readonly log: PluginLog;
  readonly failures: FailureLog;
  readonly suspensions: Suspensions;
  readonly secrets: PluginSecrets;
  readonly supervisor: Supervisor;
  readonly meter: Meter;
  readonly #parts: InstalledPluginParts;
  readonly #places: FailurePlaces;
  /** Why it must not run, regardless of grants; `null` = it may. Only the installs set it. */
  revocation: string | null = null;
  #settings: PluginSettings;
  #granted: Permissions;
  readonly #gateCounters: GateCounters = { calls: 0, refused: 0 };
  /** Usage of earlier runs. */
  #before: SandboxUsage = noUsage;
  #restarts = 0;
  #viewerCalls = 0;

  /** A later version continues the log of the earlier one. */
  constructor(
    found: PluginPackage,
    settings: PluginSettings,
    parts: InstalledPluginParts,
    earlier?: InstalledPlugin,
  ) {
    this.package = found;
    this.asked = powersAsked(found.manifest);
    this.#slug = pluginSlug(found.manifest.id);
    this.#settings = settings;
    this.#granted = clampGrant(this.asked, this.#settings);
    this.#parts = parts;
    this.log = earlier?.log ?? createPluginLog(parts.clock);
    const { name } = found.manifest;
    this.failures =
      earlier?.failures ??
      createFailureLog({
        clock: parts.clock,
        log: this.log,
        onOften: (often) => parts.onOftenFailing?.({ ...often, pluginId: this.id, name }),
      });
    this.#places = createFailurePlaces({
      file: found.manifest.main,
      positions: (source) => parts.packer.positions(source),
      read: () => this.#source(),
      digest: (source) => createHash('sha256').update(source).digest('hex'),
      clock: parts.clock,
    });
    this.suspensions = createSuspensions({
      clock: parts.clock,
      tell: (level, text) => this.note(level, text),
      onFirst: (suspended) => parts.onSuspended?.({ ...suspended, pluginId: this.id, name }),
      onNone: () => parts.onNoneSuspended?.(this.id),
    });
    this.secrets = createPluginSecrets(found.manifest.id, parts.secretSeal);
    const { id } = found.manifest;
    this.meter = createMeter(
      {
        quotas: this.quotas,
        measures: {
          kvBytes: async () => (await parts.keptBytes?.kv(id)) ?? 0,
          textIndexBytes: async () => (await parts.keptBytes?.textIndex(id)) ?? 0,
          packageBytes: () => packageBytes(found.folder),
        },
        onRefusal: (use, why) => parts.onRefusal?.({ pluginId: id, use, ...why }),
        clock: parts.clock,
      },
      earlier?.meter,
    );
    this.supervisor = new Supervisor({
      clock: parts.clock,
      launch: async (onGone) => {
        try {
          this.meter.powers.begin();
          return await this.#launch(onGone);
        } catch (error) {
          parts.log.warn({ err: error, pluginId: this.id }, 'A plugin did not start.');
          throw error;
        }
      },
      open: () => this.#listen(),
      attach: () => this.#attach(),
      retire: (sandbox) => {
        this.#sample(sandbox.usage());
        this.#before = addRun(this.#before, sandbox.usage());
      },
      changed: () => parts.onChange(),
      tell: (event) => {
        if (event === 'restarted') this.#restarts += 1;
        if (event === 'error') this.#countCrash();
        if (this.#isFreshAfter(event)) this.suspensions.clear();
        parts.onLife(this, event);
      },
      note: (level, text) => this.note(level, text),
    });
  }

  /** A crash alone ends no suspension: a plugin could bring it about. */
  #isFreshAfter(event: LifeEvent): boolean {
    const hasGivenUp = event === 'error' && this.supervisor.state === 'failed';
    return (
      this.package.type !== 'builtin' && event !== 'restarted' && (event !== 'error' || hasGivenUp)
    );
  }

  get id(): string {
    return this.package.manifest.id;
  }

  get isRunning(): boolean {
    return this.supervisor.state === 'running';
  }

  /** It runs or is starting. */
  get isUp(): boolean {
    return this.isRunning || this.supervisor.state === 'starting';
  }

  /** It does not run, and has not failed. */
  get isIdle(): boolean {
    const { state } = this.supervisor;
    return state === 'discovered' || state === 'stopped';
  }

  get settings(): PluginSettings {
    return this.#settings;
  }

  /** Only the registry sets it, after it is stored. */
  set settings(settings: PluginSettings) {
    this.#settings = settings;
    this.#granted = clampGrant(this.asked, this.#settings);
    this.#parts.onChange();
  }

  /** What the plugin may do now; nothing before a decision. */
  get granted(): Permissions {
    return this.#granted;
  }

  /** What it may do now: nothing while it is disabled, or waits for a decision. */
  grantedNow(): Permissions {
    return this.resource().enabled && !this.awaitsGrant ? this.#granted : {};
  }

  /** What it may touch; built-ins are not limited. */
  get reach(): Reach {
    if (this.package.type === 'builtin') return 'all';
    return this.#settings.grant?.reach ?? (this.awaitsGrant ? [] : 'all');
  }

  /** Its limits. */
  get quotas(): Quotas {
    return quotasOf(this.package, this.granted);
  }

  get form(): readonly ConfigField[] {
    return this.package.manifest.configuration ?? [];
  }

  /** The hooks that it was granted, whether it runs or not. */
  get hooks(): readonly { readonly hook: HookSubscription; readonly isObserver: boolean }[] {
    const { metadata, hooks: granted } = this.#granted;
    return (this.package.manifest.subscriptions?.hooks ?? [])
      .filter(({ name }) => granted?.includes(name))
      .map((hook) => ({
        hook,
        isObserver: hook.name !== 'pipeline.scan.prepare' && metadata !== 'write',
      }));
  }

  /** Whether it may receive events of this name. */
  canReceive(name: string): boolean {
    const group = groupOfEvent(name, this.#slug);
    return group === null || this.#granted.hears?.includes(group) === true;
  }

  /** Whether it asks for something without a decision. */
  get awaitsGrant(): boolean {
    return excess(this.asked, this.#settings.grant?.asked ?? {}).length > 0;
  }

  /** The values that were set and still fit the form. */
  get keptConfiguration(): ConfigValues {
    const { configuration, secrets } = this.#settings;
    return fittingValues(this.form, { ...configuration, ...this.secrets.open(this.form, secrets) });
  }

  /** Keys of secrets that were sealed with another key than the server has now. */
  get lostSecrets(): readonly string[] {
    return this.secrets.lost(this.form, this.#settings.secrets);
  }

  /** The values that the plugin sees. */
  get configuration(): ConfigValues {
    return effectiveValues(this.form, this.keptConfiguration);
  }

  /** Writes a line of the server into the plugin's log. */
  note(level: 'info' | 'warn' | 'error', text: string): void {
    this.log.write(level, text);
    this.#parts.log[level]({ pluginId: this.id }, text);
  }

  /**
   * Why the handler of a call is suspended; `null` = it is not. Handlers of built-ins are never
   * suspended.
   */
  suspensionOf(call: Pick<DispatchCall, 'method' | 'name'>): Suspension | null {
    return this.suspensions.isEmpty() ? null : this.suspensions.of(handlerOf(call));
  }

  /** Records the outcome of a call to one of its handlers. */
  noteOutcome(call: Pick<DispatchCall, 'method' | 'name'>, outcome: Outcome): void {
    if (this.package.type === 'builtin') return;
    const end = callEnd(call, outcome);
    if (this.suspensions.isEmpty() && (end === 'returned' || end === 'other')) return;
    this.suspensions.note(handlerOf(call), end);
  }

  /** Logs and counts a failure. A call that was cut off by a requested stop is not a failure. */
  noteFailure(failure: Failure, stack?: string): void {
    const { state } = this.supervisor;
    if (failure.kind === 'lost' && (state === 'stopping' || state === 'stopped')) return;
    this.failures.note(failure, stack === undefined ? undefined : () => this.#places.of(stack));
  }

  /** Counts a crash. The supervisor has already logged it. */
  #countCrash(): void {
    const message = this.supervisor.errorMessage ?? 'It gave no reason.';
    this.failures.count({ kind: 'crashed', handler: 'plugin', message, durationMs: null });
  }

  /**
   * Records a reference of the plugin that is not accepted: a line in its log, and a refusal in its
   * usage.
   */
  refuseClaim(what: string, why: string): void {
    this.log.write('warn', `A reference is not accepted (${what}): ${why}`);
    this.meter.powers.refuseClaim(what, why);
  }

  /** The manifest with its words in a language, as far as the plugin has it. */
  manifestIn(locale: string | null): Manifest {
    return translated(this.package.manifest, this.package.locales, locale);
  }

  /** The Plugin resource, in a language as far as the plugin has it. */
  resource(locale: string | null = null): Plugin {
    const { type } = this.package;
    const manifest = this.manifestIn(locale);
    const { state, errorMessage, restartAttempts, lastCrashAt } = this.supervisor;
    const suspended = this.suspensions.list();
    return {
      id: manifest.id,
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      author: manifest.author,
      license: manifest.license,
      repository: manifest.repository ?? null,
      homepage: manifest.homepage ?? null,
      capabilities: manifest.capabilities,
      mediaTypes: manifest.mediaTypes,
      enabled: this.#settings.isEnabled,
      state,
      errorMessage,
      type,
      restartAttempts,
      lastCrashAt: lastCrashAt === null ? null : new Date(lastCrashAt).toISOString(),
      configuration: shownFields(manifest.configuration),
      capabilityConfig: manifest.capabilityConfig ?? {},
      ...(suspended.length > 0 && { suspended }),
    };
  }

  /** Counts a call that was made for a person. */
  countViewerCall(): void {
    this.#viewerCalls += 1;
  }

  /** Its usage over all runs. */
  usage(): PluginUsage {
    const now = this.supervisor.sandbox?.usage();
    const all = now ? addRun(this.#before, now) : this.#before;
    this.#sample(now);
    const { powers, chart } = this.meter;
    return {
      calls: all.calls,
      timeouts: all.timeouts,
      unknownHandlers: this.#parts.dispatcher.unknownHandlers(this.id),
      viewerCalls: this.#viewerCalls,
      cpuMs: all.cpuMs,
      memoryBytes: now?.memoryBytes ?? 0,
      droppedEvents: this.#parts.events.counters(this.id).dropped,
      hostCalls: this.#gateCounters.calls,
      refusedCalls: this.#gateCounters.refused,
      pausedMs: all.pausedMs,
      processBytes: now?.processBytes ?? 0,
      bytesIn: all.bytesIn,
      bytesOut: all.bytesOut,
      restarts: this.#restarts,
      queuedEvents: this.#parts.events.counters(this.id).queued,
      failures: this.failures.counts(),
      powers: powers.powers(),
      refusals: powers.refusals(),
      chart: chart.points(),
    };
  }

  /** How much of each of its quotas is used. */
  quotaUse(): Promise<readonly QuotaUse[]> {
    return quotaUse(this.meter, this.quotas, {
      run: this.supervisor.sandbox?.usage(),
      queuedEvents: this.#parts.events.counters(this.id).queued,
      logLines: this.log.lines().length,
    });
  }

  /** Adds usage since the last sample to the current minute. */
  #sample(run: SandboxUsage | undefined): void {
    const all = run ? addRun(this.#before, run) : this.#before;
    const { dropped, queued } = this.#parts.events.counters(this.id);
    this.meter.chart.sample(
      {
        calls: all.calls,
        hostCalls: this.#gateCounters.calls,
        refused: this.#gateCounters.refused,
        cpuMs: all.cpuMs,
        pausedMs: all.pausedMs,
        bytesIn: all.bytesIn,
        bytesOut: all.bytesOut,
        eventsDropped: dropped,
        restarts: this.#restarts,
      },
      { memoryBytes: Math.max(run?.memoryBytes ?? 0, run?.processBytes ?? 0), queued },
    );
  }

  /** Packs the script of a plugin that starts on demand, so that its first call is quick. */
  async prepareOnDemand(): Promise<void> {
    if (this.#isOnDemand) await this.#script();
  }

  get #isOnDemand(): boolean {
    return this.package.manifest.resources?.starts === 'on-demand';
  }

  async #launch(onGone: OnGone): Promise<Sandbox> {
    if (!this.#isOnDemand) return this.#startInstances(onGone);
    return createOnDemand({
      pluginId: this.id,
      start: (onRunGone) => this.#startInstances(onRunGone),
      onGone,
      shutDown,
      clock: this.#parts.clock,
    });
  }

  async #script(): Promise<string> {
    const source = await this.#source();
    this.#places.runs(source);
    return this.#parts.packer.toScript(source);
  }

  async #source(): Promise<string> {
    const { manifest, mainFile } = this.package;
    const source = await readPackageFile(mainFile, maxSourceBytes);
    if (source.kind === 'text') return source.text;
    const why = source.kind === 'missing' ? 'is not there' : source.why;
    throw new KernelError('plugin_failed', `main: ${manifest.main} ${why}.`);
  }

  async #startInstances(onGone: OnGone): Promise<Sandbox> {
    const { sandboxes, services } = this.#parts;
    const { type } = this.package;
    const wasm = this.granted.wasm === true;
    const { isolateBytes, cpuMsPerSecond, instances } = this.quotas;
    const spec = {
      pluginId: this.id,
      script: await this.#script(),
      memoryMb: isolateBytes / mebibyte,
      // The limit is for all isolates of the plugin together.
      ...(cpuMsPerSecond !== null && { cpuMsPerSecond: cpuMsPerSecond / instances }),
      wasm,
      process: type === 'builtin' && !wasm ? ('shared' as const) : ('own' as const),
      isLowPriority: type !== 'builtin',
      services: services.catalogue(),
      onLog: ({ level, text }: LogEntry) => {
        this.log.write(level, text);
        this.#parts.log.debug({ pluginId: this.id, level }, text);
      },
      onMeasured: () => this.#sample(this.supervisor.sandbox?.usage()),
      onRefused: (call: string, why: { readonly code: string; readonly message: string }) => {
        this.#gateCounters.calls += 1;
        this.#gateCounters.refused += 1;
        const use = { call: 'unheard', subject: call, need: null };
        this.meter.powers.note(use);
        this.meter.powers.refuse(use, why);
        const handler = `host.${guestWords(call)}`;
        this.noteFailure({ kind: 'call-refused', handler, message: why.message, durationMs: null });
      },
    };
    return startInstances({
      count: instances,
      start: (onOneGone) => sandboxes.start({ ...spec, gate: this.#gate(), onGone: onOneGone }),
      onGone,
    }).catch(async (error: unknown) => {
      throw await withPlaces(error, this.#places.of);
    });
  }

  #gate() {
    const { services, newId, log } = this.#parts;
    return createGate({
      pluginId: this.id,
      granted: () => this.granted,
      reach: () => this.reach,
      judge: this.#parts.judge,
      agreed: this.#parts.agreed,
      services,
      quota: this.meter.hostCalls,
      bytes: this.meter.hostBytes,
      queue: this.meter.queue,
      counters: this.#gateCounters,
      powers: this.meter.powers,
      onRefused: (handler, message, durationMs) =>
        this.noteFailure({ kind: 'call-refused', handler, message, durationMs }),
      admitText: (bytes) => this.meter.disk.admitText(bytes, this.quotas.textIndexBytes),
      newId,
      log,
    });
  }

  /** Events: the subscription lasts over restarts, so that events wait for the plugin. */
  #listen(): Undo {
    const patterns = this.package.manifest.subscriptions?.events ?? [];
    return patterns.length === 0
      ? () => undefined
      : this.#parts.events.subscribePlugin(this.id, patterns);
  }

  /** Hooks and views: only while the plugin runs, since their callers would wait. */
  #attach(): Undo {
    const { views = [] } = this.package.manifest.subscriptions ?? {};
    const undos = this.#attachHooks();
    if (views.length > 0) undos.push(this.#parts.views.subscribe(this.id, views));
    return () => undos.forEach((undo) => undo());
  }

  /** Deltas of item hooks are merged into items; without `metadata: write` the plugin is an observer. */
  #attachHooks(): Undo[] {
    return this.hooks.map(({ hook, isObserver }) => {
      if (isObserver)
        this.note('info', `The hook ${hook.name} only observes: metadata: write was not granted.`);
      return this.#parts.hooks.subscribe(this.id, hook, { isObserver });
    });
  }
}

function clampGrant(asked: Permissions, { grant }: PluginSettings): Permissions {
  return grant ? clamp(grant.granted, asked) : {};
}
