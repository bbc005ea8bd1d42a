/**
 * How the server reads one host process: in turns that are so short that its thread is never held for
 * long, and no more than its share where the process comes last.
 *
 * Guarantee: once it is stopped, not one frame more is decoded, also of a batch that is half read.
 */
import type { Duplex } from 'node:stream';
import { limits } from './limits.ts';
import { createCpuThrottle } from './cpu-throttle.ts';
import { createBatchReader } from './wire.ts';

/** The reading of one channel. */
export interface HostReader {
  /** For good: what comes is thrown away. */
  readonly stop: () => void;
  /** To be called once a second: what may be read in one begins again. */
  readonly beat: () => void;
  /** It is the process that waits to be heard, and not the other way round. */
  readonly isWaiting: () => boolean;
  /** The process has ended. `done` comes when all that it said is read, and may come again. */
  readonly finish: (done: () => void) => void;
}

/** `onFault` tells why what came cannot be read, in words that follow "sent". */
export function createHostReader(
  channel: Duplex,
  parts: {
    readonly isLowPriority: boolean;
    /** Milliseconds; only differences count. */
    readonly clock: () => number;
    /** Bytes that wait to be read by the process: one that does not read is not read. */
    readonly backlogBytes: () => number;
    readonly onFrame: (value: unknown) => void;
    readonly onFault: (why: string) => void;
  },
): HostReader {
  const { clock } = parts;
  const throttle = createCpuThrottle(parts.isLowPriority ? limits.readMsPerSecond : 0, clock, 1);
  const turn = { endsAt: 0, frames: 0, textLength: 0 };
  let endTurn: NodeJS.Immediate | undefined;
  let isStopped = false;
  let bytesThisBeat = 0;
  let framesThisBeat = 0;
  let whenRead: (() => void) | undefined;

  const reader = createBatchReader({
    onFrame: (value) => {
      framesThisBeat += 1;
      turn.frames += 1;
      turn.textLength += textLengthOf(value);
      parts.onFrame(value);
      return !isStopped && hasRoom();
    },
  });

  /** Texts count, since whoever asked for one parses it in the same turn. */
  const hasRoom = (): boolean =>
    turn.frames < limits.turnFrames &&
    turn.textLength < limits.turnTextLength &&
    clock() < turn.endsAt;

  channel.on('data', (chunk: Buffer) => {
    if (isStopped) return;
    bytesThisBeat += chunk.length;
    read(() => reader.push(chunk));
  });

  function read(step: () => string | null): void {
    beginTurn();
    const begunAt = clock();
    const fault = step();
    throttle.spend(clock() - begunAt);
    if (isStopped) return;
    if (fault !== null) parts.onFault(fault);
    else rest();
  }

  /** A turn lasts until the event loop has come round, however many pieces it reads until then. */
  function beginTurn(): void {
    if (endTurn !== undefined) return;
    Object.assign(turn, { endsAt: clock() + limits.turnMs, frames: 0, textLength: 0 });
    endTurn = setImmediate(() => {
      endTurn = undefined;
      if (reader.isResting()) goOn();
    });
  }

  /** What it sends on meanwhile waits with it: nothing of it is read, and so nothing answered. */
  function rest(): void {
    if (!reader.isResting() && !mustWait()) return;
    channel.pause();
    const pauseMs = throttle.pauseMs();
    if (pauseMs > 0) throttle.later(pauseMs, goOn);
  }

  /** Beyond the turn; the last words of a process wait for nothing. */
  const mustWait = (): boolean =>
    whenRead === undefined && (throttle.pauseMs() > 0 || isTooMuchThisBeat());

  const isTooMuchThisBeat = (): boolean =>
    bytesThisBeat > limits.hostBytesPerSecond ||
    framesThisBeat > limits.hostFramesPerSecond ||
    parts.backlogBytes() > limits.backlogBytes;

  function goOn(): void {
    if (mustWait()) return;
    if (!isStopped && reader.isResting()) read(reader.goOn);
    if (!isStopped && (reader.isResting() || mustWait())) return;
    channel.resume();
    tellWhenRead();
  }

  function tellWhenRead(): void {
    if (channel.closed && (isStopped || !reader.isResting())) whenRead?.();
  }

  return {
    stop: () => {
      isStopped = true;
      throttle.stop();
      channel.resume();
    },
    beat: () => {
      bytesThisBeat = 0;
      framesThisBeat = 0;
      if (channel.isPaused()) goOn();
    },
    isWaiting: () => channel.isPaused(),
    finish: (done) => {
      whenRead = done;
      channel.once('close', tellWhenRead);
      goOn();
    },
  };
}

/** Of bytes nothing is read but their place. */
function textLengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('body' in value)) return 0;
  return typeof value.body === 'string' ? value.body.length : 0;
}
