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
import { KernelError } from '../errors.ts';
import type { Log } from '../log.ts';
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

/** Starts no process until the first plugin needs one or `warm` is called. */
export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { log } = options;
  const hosts = new Set<PluginHost>();
  const clock = (): number => performance.now();
  let nextId = 1;
  let shared: PluginHost | undefined;
  let isStopped = false;
  let verdict: 'open' | 'passed' | 'failed' = 'open';
  /** The process that runs the self-test; results from others are ignored. */
  let tester: PluginHost | undefined;
  const verified = Promise.withResolvers<undefined>();
  let isolation: Promise<Isolation> | undefined;
  const lowPriority = createLowPriorityProcesses();
  const turns = createStartQueue({
    longestMs: limits.startTurnMs,
    patienceMs: limits.startWaitMs,
  });

  async function start(spec: SandboxSpec): Promise<Sandbox> {
    if (spec.isLowPriority !== true) return startNow(spec);
    const endTurn = await turns.take();
    try {
      return await startNow(spec);
    } finally {
      endTurn();
    }
  }

  async function startNow(spec: SandboxSpec): Promise<Sandbox> {
    if (isStopped) throw failed(spec, 'the server is stopping');
    if (verdict === 'failed') throw failed(spec, engineRefusal);
    if (!fitsIsolate(spec))
      throw failed(spec, 'its script is above an eighth of its memory or 8 MiB');
    const host = await placeFor(spec);
    const id = nextId++;
    const live = createLiveSandbox({
      id,
      spec,
      clock,
      post: host.link.post,
      backlogBytes: host.link.backlogBytes,
      drop: host.link.drop,
      verified: verified.promise,
      stop: () => release(host, id),
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
      await release(host, id);
      if (!(error instanceof Error)) throw failed(spec, 'it did not start');
      throw failed(spec, error.message, error.cause);
    } finally {
      clearTimeout(patience);
    }
  }

  async function placeFor(spec: SandboxSpec): Promise<PluginHost> {
    const files = findHostFiles(options.hostScript);
    if (files === undefined) throw failed(spec, 'the plugin host or its isolate engine is missing');
    if (spec.process === 'shared' && !spec.wasm) return sharedHost(files);
    const { wasm, isLowPriority = false } = spec;
    const kind = { isShared: false, isLowPriority, wasm, memoryCapMb: processCapMb(spec) };
    if (!isLowPriority) return launch(files, kind, noIsolation);
    const isolation = await isolationOf(files);
    if (isStopped) throw failed(spec, 'the server is stopping');
    if (options.isolation === 'require' && isolation.tier !== 'namespaces') {
      const why = isolation.reason ?? 'the system has none';
      throw failed(spec, `plugins need namespaces here (--plugin-isolation require), and ${why}`);
    }
    return launch(files, kind, isolation);
  }

  /** Examined once, at first use. */
  function isolationOf(files: HostFiles): Promise<Isolation> {
    const { isolation: mode = 'process', wrappers, nodePath } = options;
    const asked = { mode, nodePath, files, log, ...(wrappers && { wrappers }) };
    return (isolation ??= openIsolation(asked));
  }

  async function tellIsolation(): Promise<IsolationReport> {
    const files = findHostFiles(options.hostScript);
    const { tier, by, reason } = files === undefined ? noIsolation : await isolationOf(files);
    return { tier, by, reason };
  }

  function sharedHost(files: HostFiles): PluginHost {
    if (shared === undefined || isEnding(shared))
      shared = launch(
        files,
        { isShared: true, isLowPriority: false, wasm: false, memoryCapMb: 768 },
        noIsolation,
      );
    return shared;
  }

  function warm(): void {
    try {
      const files = findHostFiles(options.hostScript);
      if (files !== undefined && !isStopped) sharedHost(files);
    } catch (error) {
      log.debug(
        { err: error },
        'no plugin host could be started early; the first plugin start reports why',
      );
    }
  }

  function launch(files: HostFiles, kind: HostKind, around: Isolation): PluginHost {
    const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-host-'));
    const live = new Map<number, LiveSandbox>();
    const link = startHost(
      {
        ...files,
        isolation: around,
        nodePath: options.nodePath,
        flags: hostFlags(files, kind.wasm),
        memoryCapMb: kind.memoryCapMb,
        // A process with one plugin can end at once.
        overCapMs: kind.isShared ? 2 * limits.overCapMs : 0,
        isLowPriority: kind.isLowPriority,
        folder,
      },
      {
        log,
        lowPriority,
        onFrame: (frame) => receive(host, frame),
        onEnd: (ending) => removeHost(host, ending),
      },
    );
    const host: PluginHost = {
      link,
      isShared: kind.isShared,
      live,
      folder,
      hasReportedFault: false,
    };
    hosts.add(host);
    boot(host);
    return host;
  }

  /** The first process runs the self-test while its plugins start. */
  function boot(host: PluginHost): void {
    const selfTest = verdict === 'open' && tester === undefined;
    if (selfTest) tester = host;
    host.link.post({ kind: 'boot', selfTest, body: options.guestRuntime });
  }

  function receive(host: PluginHost, frame: KernelFrame): void {
    switch (frame.kind) {
      case 'ready':
        leaveFolder(host);
        return;
      case 'self-tested':
        if (host === tester) judge(frame.passed);
        return;
      case 'beat':
        measure(host, frame.usage);
        return;
      case 'gone':
        if (!host.live.has(frame.sandbox)) host.link.drop();
        host.live.get(frame.sandbox)?.receive(frame);
        if (frame.fatal) host.hasReportedFault = true;
        else void release(host, frame.sandbox);
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
  function measure(host: PluginHost, usage: readonly MeasuredUsage[]): void {
    const processBytes = host.isShared ? 0 : host.link.takePeakBytes();
    const bySandbox = new Map(usage.map(({ sandbox, ...measured }) => [sandbox, measured]));
    for (const [sandbox, measured] of bySandbox)
      host.live.get(sandbox)?.measure({ ...measured, processBytes });
  }

  function judge(passed: boolean): void {
    if (verdict !== 'open') return;
    verdict = passed ? 'passed' : 'failed';
    if (passed) {
      verified.resolve(undefined);
      return;
    }
    log.error({}, engineRefusal);
    verified.reject(new Error(engineRefusal));
    for (const host of hosts) {
      for (const live of host.live.values()) live.end({ reason: 'exited', message: engineRefusal });
      void host.link.kill();
    }
  }

  /** Removes a sandbox from its process; the last one ends the process. */
  async function release(host: PluginHost, id: number): Promise<void> {
    if (!host.live.delete(id)) return;
    if (host.live.size > 0) {
      host.link.post({ kind: 'stop', sandbox: id });
      return;
    }
    if (shared === host) shared = undefined;
    await host.link.kill();
  }

  function removeHost(host: PluginHost, ending: Ending | undefined): void {
    hosts.delete(host);
    leaveFolder(host);
    if (shared === host) shared = undefined;
    if (tester === host) passSelfTestOn();
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
  function passSelfTestOn(): void {
    tester = undefined;
    const [next] = hosts;
    if (verdict === 'open' && next !== undefined) boot(next);
  }

  verified.promise.catch(() => undefined);
  return {
    start,
    warm,
    isolation: tellIsolation,
    stop: async () => {
      isStopped = true;
      const ending = [...hosts].map((host) => {
        for (const live of host.live.values()) live.end();
        return host.link.kill();
      });
      await Promise.all(ending);
    },
    report: () =>
      Array.from(hosts, ({ link, live }) => ({
        pid: link.pid(),
        rssBytes: link.rssBytes(),
        pluginIds: [...new Set(Array.from(live.values(), ({ sandbox }) => sandbox.pluginId))],
        dropped: link.dropped(),
      })),
  };
}

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
