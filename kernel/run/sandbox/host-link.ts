/**
 * One plugin-host process, as the kernel uses it: its start, its channel, its heartbeat, its end. It
 * handles frames and knows no sandboxes.
 *
 * The channel is two sockets, one for each direction. A failed write closes a socket and drops what it
 * has received; so a process that ends while the kernel writes to it keeps its last frames.
 *
 * The process is assumed to be hostile. Its output is limited before it is read, parsed once, and
 * validated. Invalid frames are dropped and counted; a process that keeps sending them is killed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Log } from '../../log.ts';
import { parseKernelFrame, type HostFrame, type KernelFrame } from './frames.ts';
import { createHostReader } from './host-reader.ts';
import type { Isolation } from './isolation.ts';
import { hostEnvironment } from './launch.ts';
import { limits } from './limits.ts';
import { preferAsVictim, type LowPriorityProcesses } from './process-priority.ts';
import { openSize } from './process-size.ts';
import { lastInLine } from './process-tree.ts';
import type { Ending } from './sandbox.ts';
import { encodeBatches } from './wire.ts';
import { withDescriptors } from './wrapper.ts';

/** A running plugin-host process. */
export interface HostLink {
  /** The pid of the host, not of its wrapper. */
  readonly pid: () => number;
  /** Sends at the end of this turn of the event loop, with all other frames of the turn. */
  readonly post: (frame: HostFrame) => void;
  /** Bytes that the process has not read yet. */
  readonly backlogBytes: () => number;
  readonly rssBytes: () => number;
  /** The peak size since the last call. */
  readonly takePeakBytes: () => number;
  readonly dropped: () => number;
  /** Counts a frame that is late or names an unknown id. */
  readonly drop: () => void;
  /** Whether it is being killed, or gone. */
  readonly isEnding: () => boolean;
  /** SIGKILL. Resolves when the process is gone. */
  readonly kill: () => Promise<undefined>;
}

/** How a process is started. */
export interface HostLaunch {
  readonly isolation: Pick<Isolation, 'wrap' | 'isWrapped' | 'descriptors' | 'environment'>;
  readonly nodePath: string;
  readonly flags: readonly string[];
  readonly hostScript: string;
  readonly engineFile: string;
  readonly memoryCapMb: number;
  /** How long it may be above the cap, so that it can end the guest at fault. */
  readonly overCapMs: number;
  /** It gets the processor time, and the reading time of the server, that others leave. */
  readonly isLowPriority: boolean;
  /** An empty folder. */
  readonly folder: string;
}

const mebibyte = 1024 * 1024;

/**
 * `onEnd` is called once, when the process is gone; `ending` gives the reason if the kernel killed
 * it.
 */
export function startHost(
  launch: HostLaunch,
  parts: {
    readonly log: Log;
    readonly lowPriority: LowPriorityProcesses;
    readonly onFrame: (frame: KernelFrame) => void;
    readonly onEnd: (ending: Ending | undefined) => void;
  },
): HostLink {
  const { isolation, nodePath, flags, hostScript, engineFile } = launch;
  const [program, ...args] = isolation.wrap([
    ...([nodePath, ...flags] as const),
    ...[hostScript, engineFile, String(launch.memoryCapMb)],
  ]);
  const child = withDescriptors(isolation.descriptors, (opened) =>
    spawn(program, args, {
      // Its own group, so that Ctrl-C reaches only the server, which ends its hosts in order.
      detached: true,
      env: { ...hostEnvironment, ...isolation.environment },
      cwd: launch.folder,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', ...opened],
    }),
  );
  /** The host itself; its wrapper has another pid. */
  let pid = child.pid;
  let leavePriority = launch.isLowPriority ? parts.lowPriority.add(pid) : undefined;
  const fromHost = socketOf(child, 3);
  const toHost = socketOf(child, 4);
  let size = openSize(pid);
  let outgoing: HostFrame[] = [];
  let dropped = 0;
  let faults = 0;
  let beat = 0;
  let answeredBeat = 0;
  /** Consecutive beats without an answer, while it was being read. */
  let silentBeats = 0;
  let answeredBefore = 0;
  let verdict: Ending | undefined;
  let isReady = false;
  let isKilled = false;
  let isExited = false;
  let isOver = false;
  let droppedThisBeat = 0;
  let peakBytes = 0;
  let overCapMs = 0;
  const ended = Promise.withResolvers<undefined>();

  function post(frame: HostFrame): void {
    if (!isOver && outgoing.push(frame) === 1) setImmediate(flush);
  }

  function flush(): void {
    const frames = outgoing;
    outgoing = [];
    if (isOver) return;
    for (const batch of encodeBatches(frames)) toHost.write(batch);
  }

  function killWith(ending: Ending): void {
    verdict ??= ending;
    kill();
  }

  /** Kills it, once. Nothing that it has sent is read afterwards. */
  function kill(): void {
    if (isKilled) return;
    isKilled = true;
    reader.stop();
    // A wrapper and all processes that it has started are one group.
    if (isolation.isWrapped) killGroup(child);
    child.kill('SIGKILL');
  }

  function fault(): void {
    dropped++;
    faults++;
    if (faults > limits.faults) {
      killWith({ reason: 'protocol', message: 'Sent too many malformed messages.' });
    }
  }

  function drop(): void {
    dropped++;
    if (++droppedThisBeat > limits.droppedPerSecond) {
      killWith({ reason: 'protocol', message: 'Sent too many answers to unknown calls.' });
    }
  }

  const reader = createHostReader(fromHost, {
    isLowPriority: launch.isLowPriority,
    clock: () => performance.now(),
    backlogBytes: () => toHost.writableLength,
    onFrame: receive,
    onFault: (why) => killWith({ reason: 'protocol', message: `Sent ${why}.` }),
  });

  function receive(value: unknown): void {
    const frame = parseKernelFrame(value);
    if (frame === undefined) fault();
    else if (isDue(frame)) parts.onFrame(frame);
    else drop();
  }

  /** Whether the frame is expected: `ready` once, and one answer for each beat, in order. */
  function isDue(frame: KernelFrame): boolean {
    if (frame.kind === 'ready') {
      const isFirst = !isReady;
      isReady = true;
      if (isFirst && isolation.isWrapped) findHost();
      return isFirst;
    }
    if (frame.kind !== 'beat') return true;
    if (frame.beat > beat || frame.beat <= answeredBeat) return false;
    answeredBeat = frame.beat;
    return true;
  }

  /** Finds the host behind its wrapper, which is what is measured, deprioritised and killed. */
  function findHost(): void {
    if (child.pid === undefined || isKilled) return;
    pid = lastInLine(child.pid);
    size.close();
    size = openSize(pid);
    preferAsVictim(pid);
    leavePriority?.();
    leavePriority = launch.isLowPriority ? parts.lowPriority.add(pid) : undefined;
  }

  const pulse = setInterval(() => {
    droppedThisBeat = 0;
    const hasAnswered =
      answeredBeat > answeredBefore || answeredBeat === beat || reader.isWaiting();
    silentBeats = hasAnswered ? 0 : silentBeats + 1;
    answeredBefore = answeredBeat;
    reader.beat();
    if (silentBeats > limits.silentBeats) {
      killWith({ reason: 'stuck', message: 'Its process no longer answers.' });
    }
    post({ kind: 'beat', beat: ++beat });
  }, limits.beatMs);
  pulse.unref();

  /** The process watches itself too, but its own figures are not trusted. */
  const memoryWatch = setInterval(() => {
    const rss = size.bytes();
    peakBytes = Math.max(peakBytes, rss);
    if (rss <= launch.memoryCapMb * mebibyte) overCapMs = 0;
    else if (overCapMs >= launch.overCapMs)
      killWith({ reason: 'memory', message: 'Its process went over its memory cap.' });
    else overCapMs += limits.memoryWatchMs;
  }, limits.memoryWatchMs);
  memoryWatch.unref();

  const failChannel = (): void => {
    if (!isExited) killWith({ reason: 'exited', message: 'Its channel failed.' });
  };
  fromHost.on('error', failChannel);
  // The process has probably ended, and its exit is about to be reported.
  toHost.on('error', () => setTimeout(failChannel, limits.graceMs).unref());
  child.on('error', (error) => {
    parts.log.error({ err: error }, 'a plugin host could not be started');
    end();
  });
  // Its last frames may say why it ended.
  child.on('exit', () => {
    isExited = true;
    reader.finish(end);
    setTimeout(end, limits.graceMs).unref();
  });

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(pulse);
    clearInterval(memoryWatch);
    reader.stop();
    size.close();
    leavePriority?.();
    fromHost.destroy();
    toHost.destroy();
    parts.onEnd(verdict);
    ended.resolve(undefined);
  }

  preferAsVictim(pid);
  return {
    pid: () => pid ?? 0,
    post,
    backlogBytes: () => toHost.writableLength,
    rssBytes: () => size.bytes(),
    takePeakBytes: () => {
      const most = Math.max(peakBytes, size.bytes());
      peakBytes = 0;
      return most;
    },
    dropped: () => dropped,
    drop,
    isEnding: () => isKilled || isOver,
    kill: () => {
      kill();
      return ended.promise;
    },
  };
}

/** Does nothing for an ended process: its pid may belong to another one by now. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function socketOf(child: ChildProcess, descriptor: 3 | 4): Duplex {
  const socket = child.stdio[descriptor];
  if (socket instanceof Duplex) return socket;
  throw new Error('A plugin host has no channel.');
}
