/**
 * Reads the frames of one host process in turns so short that the server's thread is never blocked
 * for long. A low-priority process gets a limited share of reading time.
 *
 * Guarantee: after a stop no further frame is decoded, not even from a batch that is half read.
 */
import type { Duplex } from 'node:stream';
import { limits } from './limits.ts';
import { createCpuThrottle } from './cpu-throttle.ts';
import { createBatchReader } from './wire.ts';

/** Reads one channel. */
export type HostReader = ReturnType<typeof createHostReader>;

/** `onFault` gets why the input is invalid, as words that follow "sent". */
export function createHostReader(
  channel: Duplex,
  parts: {
    readonly isLowPriority: boolean;
    /** Milliseconds; only differences count. */
    readonly clock: () => number;
    /** Bytes that the process has not read yet. A process that does not read is not read. */
    readonly backlogBytes: () => number;
    readonly onFrame: (value: unknown) => void;
    readonly onFault: (why: string) => void;
  },
) {
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

  /** Text counts, since its receiver parses it in the same turn. */
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

  /** A turn lasts until the event loop has run once, however many pieces it reads. */
  function beginTurn(): void {
    if (endTurn !== undefined) return;
    Object.assign(turn, { endsAt: clock() + limits.turnMs, frames: 0, textLength: 0 });
    endTurn = setImmediate(() => {
      endTurn = undefined;
      if (reader.isResting()) goOn();
    });
  }

  /** Pauses the channel, so that further input waits unread. */
  function rest(): void {
    if (!reader.isResting() && !mustWait()) return;
    channel.pause();
    const pauseMs = throttle.pauseMs();
    if (pauseMs > 0) throttle.later(pauseMs, goOn);
  }

  /** Whether reading must pause beyond this turn. The last output of an ended process never waits. */
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
    /** Stops for good: later input is discarded. */
    stop: (): void => {
      isStopped = true;
      throttle.stop();
      channel.resume();
    },
    /** Call once a second; resets the limits per second. */
    beat: (): void => {
      bytesThisBeat = 0;
      framesThisBeat = 0;
      if (channel.isPaused()) goOn();
    },
    /** Whether the process waits for this reader. */
    isWaiting: (): boolean => channel.isPaused(),
    /** The process has ended. Calls `done` when all its output is read, possibly more than once. */
    finish: (done: () => void): void => {
      whenRead = done;
      channel.once('close', tellWhenRead);
      goOn();
    },
  };
}

/** The length of a text body. Bytes are not parsed, so they count 0. */
function textLengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('body' in value)) return 0;
  return typeof value.body === 'string' ? value.body.length : 0;
}
