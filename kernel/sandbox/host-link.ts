/**
 * One plugin-host process as the kernel sees it: its birth, its channel, its pulse, its end. It knows
 * frames and no sandbox.
 *
 * The process is hostile by assumption. What it sends is bounded before it is read, parsed once and
 * validated; what does not fit is dropped and counted, and a process that keeps at it is killed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Log } from '../log.ts';
import { parseKernelFrame, type HostFrame, type KernelFrame } from './frames.ts';
import { hostEnvironment } from './launch.ts';
import { limits } from './limits.ts';
import { createPace } from './pace.ts';
import { preferAsVictim, type LastProcesses } from './process-rank.ts';
import { openSize } from './process-size.ts';
import type { Ending } from './sandbox.ts';
import { createBatchReader, encodeBatches } from './wire.ts';

/** A running plugin-host process. */
export interface HostLink {
  readonly pid: number;
  /** Sends at the end of this turn of the event loop, together with all else of the turn. */
  readonly post: (frame: HostFrame) => void;
  /** Bytes that wait to be read by the process. */
  readonly backlogBytes: () => number;
  readonly rssBytes: () => number;
  /** The most that it has been since it was last asked. */
  readonly takePeakBytes: () => number;
  readonly dropped: () => number;
  /** Counts a frame that named what the kernel did not issue, or came late. */
  readonly drop: () => void;
  /** Whether it is being killed, or gone. */
  readonly isEnding: () => boolean;
  /** SIGKILL. Resolves when the process is gone. */
  readonly kill: () => Promise<undefined>;
}

/** How a process is started. */
export interface HostLaunch {
  readonly nodePath: string;
  readonly flags: readonly string[];
  readonly hostScript: string;
  readonly engineFile: string;
  readonly memoryCapMb: number;
  /** How long it may be above the cap, so that it can end whoever is to blame. */
  readonly overCapMs: number;
  /** It gets what others leave of the processor, and of the time in which the server reads. */
  readonly isLast: boolean;
  /** An empty folder. */
  readonly folder: string;
}

const mebibyte = 1024 * 1024;

/** `onEnd` comes once, when the process is gone; `ending` says why if the kernel had it killed. */
export function startHost(
  launch: HostLaunch,
  parts: {
    readonly log: Log;
    readonly last: LastProcesses;
    readonly onFrame: (frame: KernelFrame) => void;
    readonly onEnd: (ending: Ending | undefined) => void;
  },
): HostLink {
  const child = spawn(
    launch.nodePath,
    [...launch.flags, launch.hostScript, launch.engineFile, String(launch.memoryCapMb)],
    {
      // Its own group: a Ctrl-C is for the server, which ends its hosts in order.
      detached: true,
      env: { ...hostEnvironment },
      cwd: launch.folder,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const leaveRank = launch.isLast ? parts.last.add(child.pid) : undefined;
  const channel = channelOf(child);
  const clock = (): number => performance.now();
  const reading = createPace(launch.isLast ? limits.readMsPerSecond : 0, clock, 1);
  const size = openSize(child.pid);
  let outgoing: HostFrame[] = [];
  let dropped = 0;
  let faults = 0;
  let beat = 0;
  let heardBeat = 0;
  let verdict: Ending | undefined;
  let isKilled = false;
  /** The process has ended; what it said last is still to be read. */
  let isGone = false;
  let isOver = false;
  let bytesThisBeat = 0;
  let framesThisBeat = 0;
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
    for (const batch of encodeBatches(frames)) channel.write(batch);
  }

  function condemn(ending: Ending): void {
    verdict ??= ending;
    kill();
  }

  function kill(): void {
    isKilled = true;
    child.kill('SIGKILL');
  }

  function fault(): void {
    dropped++;
    faults++;
    if (faults > limits.faults) {
      condemn({ reason: 'protocol', message: 'Sent too many malformed messages.' });
    }
  }

  function drop(): void {
    dropped++;
    if (++droppedThisBeat > limits.droppedPerSecond) {
      condemn({ reason: 'protocol', message: 'Sent too many answers that nobody waits for.' });
    }
  }

  const reader = createBatchReader((value) => {
    framesThisBeat++;
    const frame = parseKernelFrame(value);
    if (frame === undefined) fault();
    else if (frame.kind === 'beat') heardBeat = Math.max(heardBeat, Math.min(beat, frame.beat));
    if (frame !== undefined && !isOver) parts.onFrame(frame);
  });

  const pulse = setInterval(() => {
    bytesThisBeat = 0;
    framesThisBeat = 0;
    droppedThisBeat = 0;
    if (channel.isPaused() && reading.pauseMs() === 0) channel.resume();
    if (beat - heardBeat > limits.silentBeats) {
      condemn({ reason: 'stuck', message: 'Its process did not answer any more.' });
    }
    post({ kind: 'beat', beat: ++beat });
  }, limits.beatMs);
  pulse.unref();

  /** The process watches itself too; but what it says of itself, and whether, is its own affair. */
  const memoryWatch = setInterval(() => {
    const rss = size.bytes();
    peakBytes = Math.max(peakBytes, rss);
    if (rss <= launch.memoryCapMb * mebibyte) overCapMs = 0;
    else if (overCapMs >= launch.overCapMs)
      condemn({ reason: 'memory', message: 'Its process went over its memory cap.' });
    else overCapMs += limits.memoryWatchMs;
  }, limits.memoryWatchMs);
  memoryWatch.unref();

  /** What it sends on meanwhile waits with it: nothing of it is read, and so nothing answered. */
  function restFromReading(): void {
    const ms = reading.pauseMs();
    if (ms === 0 || isGone) return;
    channel.pause();
    reading.later(ms, () => channel.resume());
  }

  channel.on('data', (chunk: Buffer) => {
    bytesThisBeat += chunk.length;
    const begunAt = clock();
    if (!isOver && !reader.push(chunk)) {
      condemn({ reason: 'protocol', message: 'Sent what is no message.' });
    }
    reading.spend(clock() - begunAt);
    restFromReading();
    const isTooMuch =
      bytesThisBeat > limits.hostBytesPerSecond || framesThisBeat > limits.hostFramesPerSecond;
    if (isTooMuch) channel.pause();
  });
  channel.on('error', () => condemn({ reason: 'exited', message: 'Its process broke off.' }));
  child.on('error', (error) => {
    parts.log.error({ err: error }, 'a plugin host could not be started');
    end();
  });
  // What it said last may say why it ended: `close` comes when all of it is read.
  child.on('close', end);
  child.on('exit', () => {
    isGone = true;
    channel.resume();
    setTimeout(end, limits.graceMs).unref();
  });

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(pulse);
    clearInterval(memoryWatch);
    reading.stop();
    size.close();
    leaveRank?.();
    channel.destroy();
    parts.onEnd(verdict);
    ended.resolve(undefined);
  }

  preferAsVictim(child.pid);
  return {
    pid: child.pid ?? 0,
    post,
    backlogBytes: () => channel.writableLength,
    rssBytes: size.bytes,
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

function channelOf(child: ChildProcess): Duplex {
  const channel = child.stdio[3];
  if (channel instanceof Duplex) return channel;
  throw new Error('A plugin host has no channel.');
}
