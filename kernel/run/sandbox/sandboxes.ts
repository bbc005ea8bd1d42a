/**
 * All sandboxes of the server: which process holds which plugin, and which plugin is at fault when a
 * process ends.
 *
 * Guarantees: a plugin with its own process shares it with no other; a process lives as long as a
 * plugin is in it; when a shared one ends, the plugin at fault gets the reason and the others get
 * `disconnected`; no plugin starts on an engine that failed the self-test.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KernelError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { fitsChannel, type KernelFrame, type MeasuredUsage } from './frames.ts';
import { startHost, type HostLink } from './host-link.ts';
import {
  noIsolation,
  openIsolation,
  type Isolation,
  type IsolationMode,
  type IsolationReport,
} from './isolation.ts';
import { findHostFiles, hostFlags, type HostFiles } from './launch.ts';
import { limits } from './limits.ts';
import { createLiveSandbox, type LiveSandbox } from './live-sandbox.ts';
import { createLowPriorityProcesses } from './process-priority.ts';
import type { Ending, Sandbox, Sandboxes, SandboxSpec } from './sandbox.ts';
import { createStartQueue } from './start-queue.ts';
import type { WrapperName } from './wrapper.ts';

interface PluginHost {
  readonly link: HostLink;
  readonly isShared: boolean;
  readonly live: Map<number, LiveSandbox>;
  /** Its working folder, empty, and removed as soon as it has started. */
  readonly folder: string;
  /** It reported which plugin makes it end; no other plugin in it is at fault. */
  hasReportedFault: boolean;
}

/** The purpose of a process. */
interface HostKind {
  readonly isShared: boolean;
  readonly isLowPriority: boolean;
  readonly wasm: boolean;
  readonly memoryCapMb: number;
}

export interface SandboxesOptions {
  /** The Node binary that plugin hosts run on. */
  readonly nodePath: string;
  /** The built plugin host. */
  readonly hostScript: string;
  /** The built guest runtime, as text. */
  readonly guestRuntime: string;
  /** For processes of installed plugins; `process` when absent. */
  readonly isolation?: IsolationMode;
  /** The programs to try for namespaces, in order; all known ones when absent. */
  readonly wrappers?: readonly WrapperName[];
  readonly log: Log;
}

class ProcessSandboxes implements Sandboxes {
  readonly #options: SandboxesOptions;
  readonly #hosts = new Set<PluginHost>();
  #nextId = 1;
  #shared: PluginHost | undefined;
  #isStopped = false;
  #verdict: 'open' | 'passed' | 'failed' = 'open';
  /** The process that runs the self-test; results from others are ignored. */
  #tester: PluginHost | undefined;
  readonly #verified = Promise.withResolvers<undefined>();
  #isolation: Promise<Isolation> | undefined;
  readonly #lowPriority = createLowPriorityProcesses();
  readonly #turns = createStartQueue({
    longestMs: limits.startTurnMs,
    patienceMs: limits.startWaitMs,
  });

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#verified.promise.catch(() => undefined);
  }

  readonly #clock = (): number => performance.now();

  readonly start = async (spec: SandboxSpec): Promise<Sandbox> => {
    if (spec.isLowPriority !== true) return this.#startNow(spec);
    const endTurn = await this.#turns.take();
    try {
      return await this.#startNow(spec);
    } finally {
      endTurn();
    }
  };

  async #startNow(spec: SandboxSpec): Promise<Sandbox> {
    if (this.#isStopped) throw failed(spec, 'the server is stopping');
    if (this.#verdict === 'failed') throw failed(spec, engineRefusal);
    if (!fitsIsolate(spec))
      throw failed(spec, 'its script is above an eighth of its memory or 8 MiB');
    const host = await this.#placeFor(spec);
    const id = this.#nextId++;
    const live = createLiveSandbox({
      id,
      spec,
      clock: this.#clock,
      post: host.link.post,
      backlogBytes: host.link.backlogBytes,
      drop: host.link.drop,
      verified: this.#verified.promise,
      stop: () => this.#release(host, id),
    });
    host.live.set(id, live);
    const { memoryMb, cpuMsPerSecond = 0, wasm, script } = spec;
    const services = JSON.stringify(spec.services);
    host.link.post({
      kind: 'start',
      sandbox: id,
      memoryMb,
      cpuMsPerSecond,
      wasm,
      services,
      body: script,
    });
    const patience = setTimeout(() => {
      live.end({ reason: 'stuck', message: 'it took too long to start' });
    }, limits.startMs);
    try {
      await live.started;
      return live.sandbox;
    } catch (error) {
      live.end();
      await this.#release(host, id);
      if (!(error instanceof Error)) throw failed(spec, 'it did not start');
      throw failed(spec, error.message, error.cause);
    } finally {
      clearTimeout(patience);
    }
  }

  async #placeFor(spec: SandboxSpec): Promise<PluginHost> {
    const files = findHostFiles(this.#options.hostScript);
    if (files === undefined) throw failed(spec, 'the plugin host or its isolate engine is missing');
    if (spec.process === 'shared' && !spec.wasm) return this.#sharedHost(files);
    const { wasm, isLowPriority = false } = spec;
    const kind = { isShared: false, isLowPriority, wasm, memoryCapMb: processCapMb(spec) };
    if (!isLowPriority) return this.#launch(files, kind, noIsolation);
    const isolation = await this.#isolationOf(files);
    if (this.#isStopped) throw failed(spec, 'the server is stopping');
    if (this.#options.isolation === 'require' && isolation.tier !== 'namespaces') {
      const why = isolation.reason ?? 'the system has none';
      throw failed(spec, `plugins need namespaces here (--plugin-isolation require), and ${why}`);
    }
    return this.#launch(files, kind, isolation);
  }

  /** Examined once, at first use. */
  #isolationOf(files: HostFiles): Promise<Isolation> {
    const { isolation: mode = 'process', wrappers, nodePath } = this.#options;
    const asked = { mode, nodePath, files, log: this.#options.log, ...(wrappers && { wrappers }) };
    return (this.#isolation ??= openIsolation(asked));
  }

  readonly isolation = async (): Promise<IsolationReport> => {
    const files = findHostFiles(this.#options.hostScript);
    const { tier, by, reason } = files === undefined ? noIsolation : await this.#isolationOf(files);
    return { tier, by, reason };
  };

  #sharedHost(files: HostFiles): PluginHost {
    if (this.#shared === undefined || isEnding(this.#shared))
      this.#shared = this.#launch(
        files,
        { isShared: true, isLowPriority: false, wasm: false, memoryCapMb: 768 },
        noIsolation,
      );
    return this.#shared;
  }

  readonly warm = (): void => {
    try {
      const files = findHostFiles(this.#options.hostScript);
      if (files !== undefined && !this.#isStopped) this.#sharedHost(files);
    } catch (error) {
      this.#options.log.debug(
        { err: error },
        'no plugin host could be started early; the first plugin start reports why',
      );
    }
  };

  #launch(files: HostFiles, kind: HostKind, around: Isolation): PluginHost {
    const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-host-'));
    const live = new Map<number, LiveSandbox>();
    const link = startHost(
      {
        ...files,
        isolation: around,
        nodePath: this.#options.nodePath,
        flags: hostFlags(files, kind.wasm),
        memoryCapMb: kind.memoryCapMb,
        // A process with one plugin can end at once.
        overCapMs: kind.isShared ? 2 * limits.overCapMs : 0,
        isLowPriority: kind.isLowPriority,
        folder,
      },
      {
        log: this.#options.log,
        lowPriority: this.#lowPriority,
        onFrame: (frame) => this.#receive(host, frame),
        onEnd: (ending) => this.#removeHost(host, ending),
      },
    );
    const host: PluginHost = {
      link,
      isShared: kind.isShared,
      live,
      folder,
      hasReportedFault: false,
    };
    this.#hosts.add(host);
    this.#boot(host);
    return host;
  }

  /** The first process runs the self-test while its plugins start. */
  #boot(host: PluginHost): void {
    const selfTest = this.#verdict === 'open' && this.#tester === undefined;
    if (selfTest) this.#tester = host;
    host.link.post({ kind: 'boot', selfTest, body: this.#options.guestRuntime });
  }

  #receive(host: PluginHost, frame: KernelFrame): void {
    switch (frame.kind) {
      case 'ready':
        leaveFolder(host);
        return;
      case 'self-tested':
        if (host === this.#tester) this.#judge(frame.passed);
        return;
      case 'beat':
        this.#measure(host, frame.usage);
        return;
      case 'gone':
        if (!host.live.has(frame.sandbox)) host.link.drop();
        host.live.get(frame.sandbox)?.receive(frame);
        if (frame.fatal) host.hasReportedFault = true;
        else void this.#release(host, frame.sandbox);
        return;
      case 'started':
      case 'not-started':
      case 'returned':
      case 'threw':
      case 'stack':
      case 'unknown-handler':
      case 'host-call':
      case 'log':
      case 'stopped': {
        const live = host.live.get(frame.sandbox);
        if (live === undefined) host.link.drop();
        else live.receive(frame);
      }
    }
  }

  /** Each sandbox counts once per beat, however often it is named. */
  #measure(host: PluginHost, usage: readonly MeasuredUsage[]): void {
    const processBytes = host.isShared ? 0 : host.link.takePeakBytes();
    const bySandbox = new Map(usage.map(({ sandbox, ...measured }) => [sandbox, measured]));
    for (const [sandbox, measured] of bySandbox)
      host.live.get(sandbox)?.measure({ ...measured, processBytes });
  }

  #judge(passed: boolean): void {
    if (this.#verdict !== 'open') return;
    this.#verdict = passed ? 'passed' : 'failed';
    if (passed) {
      this.#verified.resolve(undefined);
      return;
    }
    this.#options.log.error({}, engineRefusal);
    this.#verified.reject(new Error(engineRefusal));
    for (const host of this.#hosts) {
      for (const live of host.live.values()) live.end({ reason: 'exited', message: engineRefusal });
      void host.link.kill();
    }
  }

  /** Removes a sandbox from its process; the last one ends the process. */
  async #release(host: PluginHost, id: number): Promise<void> {
    if (!host.live.delete(id)) return;
    if (host.live.size > 0) {
      host.link.post({ kind: 'stop', sandbox: id });
      return;
    }
    if (this.#shared === host) this.#shared = undefined;
    await host.link.kill();
  }

  #removeHost(host: PluginHost, ending: Ending | undefined): void {
    this.#hosts.delete(host);
    leaveFolder(host);
    if (this.#shared === host) this.#shared = undefined;
    if (this.#tester === host) this.#passSelfTestOn();
    const culprit = suspectIn(host);
    for (const [id, live] of host.live) {
      live.end(
        id === culprit
          ? (ending ?? { reason: 'exited', message: 'Its process ended.' })
          : { reason: 'disconnected', message: 'The process that it shared with others ended.' },
      );
    }
    host.live.clear();
  }

  /** The process ended without a result; another process will run the self-test. */
  #passSelfTestOn(): void {
    this.#tester = undefined;
    const [next] = this.#hosts;
    if (this.#verdict === 'open' && next !== undefined) this.#boot(next);
  }

  readonly stop = async () => {
    this.#isStopped = true;
    const ending = [...this.#hosts].map((host) => {
      for (const live of host.live.values()) live.end();
      return host.link.kill();
    });
    await Promise.all(ending);
  };

  readonly report = () =>
    Array.from(this.#hosts, ({ link, live }) => ({
      pid: link.pid(),
      rssBytes: link.rssBytes(),
      pluginIds: [...new Set(Array.from(live.values(), ({ sandbox }) => sandbox.pluginId))],
      dropped: link.dropped(),
    }));
}

/** Starts no process until the first plugin needs one or `warm` is called. */
export const createSandboxes = (options: SandboxesOptions): Sandboxes =>
  new ProcessSandboxes(options);

/**
 * The MiB that a plugin's own process may grow to. The isolate's limit is only a hint; this one is
 * enforced.
 */
export function processCapMb({ memoryMb, wasm }: Pick<SandboxSpec, 'memoryMb' | 'wasm'>): number {
  return 160 + 4 * memoryMb + (wasm ? 512 : 0);
}

const engineRefusal =
  'this Node.js has a loop that no timeout can end, so plugins are not safe on it';

/** V8 refuses to evaluate a text longer than an eighth of the isolate's memory. */
function fitsIsolate({ script, memoryMb }: SandboxSpec): boolean {
  return fitsChannel(script) && script.length <= (memoryMb * 1024 * 1024) / 8;
}

/**
 * Removes the folder. The process stays in it, but no other process can reach it or put a file there.
 */
function leaveFolder(host: PluginHost): void {
  rmSync(host.folder, { recursive: true, force: true });
}

function isEnding(host: PluginHost): boolean {
  return host.hasReportedFault || host.link.isEnding();
}

function suspectIn(host: PluginHost): number | undefined {
  if (host.hasReportedFault) return undefined;
  return host.isShared ? heaviest(host.live) : host.live.keys().next().value;
}

/** The plugin that computed most recently, among those with a call in progress. */
function heaviest(live: ReadonlyMap<number, LiveSandbox>): number | undefined {
  let most = -1;
  let found: number | undefined;
  for (const [id, candidate] of live) {
    const burden = candidate.burden();
    if (burden <= most) continue;
    most = burden;
    found = id;
  }
  return found;
}

function failed(spec: SandboxSpec, why: string, cause?: unknown): KernelError {
  return new KernelError('plugin_failed', `Plugin ${spec.pluginId} did not start: ${why}`, {
    cause,
  });
}
