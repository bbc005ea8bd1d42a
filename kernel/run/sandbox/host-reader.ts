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

interface HostReaderParts {
  readonly isLowPriority: boolean;
  /** Milliseconds; only differences count. */
  readonly clock: () => number;
  /** Bytes that the process has not read yet. A process that does not read is not read. */
  readonly backlogBytes: () => number;
  readonly onFrame: (value: unknown) => void;
  readonly onFault: (why: string) => void;
}

/** Reads one channel. */
export class HostReader {
  readonly #channel: Duplex;
  readonly #parts: HostReaderParts;
  readonly #throttle: ReturnType<typeof createCpuThrottle>;
  readonly #turn = { endsAt: 0, frames: 0, textLength: 0 };
  #endTurn: NodeJS.Immediate | undefined;
  #isStopped = false;
  #bytesThisBeat = 0;
  #framesThisBeat = 0;
  #whenRead: (() => void) | undefined;
  readonly #reader: ReturnType<typeof createBatchReader>;

  constructor(channel: Duplex, parts: HostReaderParts) {
    this.#channel = channel;
    this.#parts = parts;
    this.#throttle = createCpuThrottle(
      parts.isLowPriority ? limits.readMsPerSecond : 0,
      parts.clock,
      1,
    );
    this.#reader = createBatchReader({
      onFrame: (value) => {
        this.#framesThisBeat += 1;
        this.#turn.frames += 1;
        this.#turn.textLength += textLengthOf(value);
        parts.onFrame(value);
        return !this.#isStopped && this.#hasRoom();
      },
    });
    channel.on('data', (chunk: Buffer) => {
      if (this.#isStopped) return;
      this.#bytesThisBeat += chunk.length;
      this.#read(() => this.#reader.push(chunk));
    });
  }

  /** Text counts, since its receiver parses it in the same turn. */
  readonly #hasRoom = (): boolean =>
    this.#turn.frames < limits.turnFrames &&
    this.#turn.textLength < limits.turnTextLength &&
    this.#parts.clock() < this.#turn.endsAt;

  #read(step: () => string | null): void {
    this.#beginTurn();
    const begunAt = this.#parts.clock();
    const fault = step();
    this.#throttle.spend(this.#parts.clock() - begunAt);
    if (this.#isStopped) return;
    if (fault !== null) this.#parts.onFault(fault);
    else this.#rest();
  }

  /** A turn lasts until the event loop has run once, however many pieces it reads. */
  #beginTurn(): void {
    if (this.#endTurn !== undefined) return;
    Object.assign(this.#turn, {
      endsAt: this.#parts.clock() + limits.turnMs,
      frames: 0,
      textLength: 0,
    });
    this.#endTurn = setImmediate(() => {
      this.#endTurn = undefined;
      if (this.#reader.isResting()) this.#goOn();
    });
  }

  /** Pauses the channel, so that further input waits unread. */
  #rest(): void {
    if (!this.#reader.isResting() && !this.#mustWait()) return;
    this.#channel.pause();
    const pauseMs = this.#throttle.pauseMs();
    if (pauseMs > 0) this.#throttle.later(pauseMs, this.#goOn);
  }

  /** Whether reading must pause beyond this turn. The last output of an ended process never waits. */
  readonly #mustWait = (): boolean =>
    this.#whenRead === undefined && (this.#throttle.pauseMs() > 0 || this.#isTooMuchThisBeat());

  readonly #isTooMuchThisBeat = (): boolean =>
    this.#bytesThisBeat > limits.hostBytesPerSecond ||
    this.#framesThisBeat > limits.hostFramesPerSecond ||
    this.#parts.backlogBytes() > limits.backlogBytes;

  readonly #goOn = (): void => {
    if (this.#mustWait()) return;
    if (!this.#isStopped && this.#reader.isResting()) this.#read(this.#reader.goOn);
    if (!this.#isStopped && (this.#reader.isResting() || this.#mustWait())) return;
    this.#channel.resume();
    this.#tellWhenRead();
  };

  readonly #tellWhenRead = (): void => {
    if (this.#channel.closed && (this.#isStopped || !this.#reader.isResting())) this.#whenRead?.();
  };

  /** Stops for good: later input is discarded. */
  readonly stop = (): void => {
    this.#isStopped = true;
    this.#throttle.stop();
    this.#channel.resume();
  };

  /** Call once a second; resets the limits per second. */
  readonly beat = (): void => {
    this.#bytesThisBeat = 0;
    this.#framesThisBeat = 0;
    if (this.#channel.isPaused()) this.#goOn();
  };

  /** Whether the process waits for this reader. */
  readonly isWaiting = (): boolean => this.#channel.isPaused();

  /** The process has ended. Calls `done` when all its output is read, possibly more than once. */
  readonly finish = (done: () => void): void => {
    this.#whenRead = done;
    this.#channel.once('close', this.#tellWhenRead);
    this.#goOn();
  };
}

/** `onFault` gets why the input is invalid, as words that follow "sent". */
export const createHostReader = (channel: Duplex, parts: HostReaderParts): HostReader =>
  new HostReader(channel, parts);

/** The length of a text body. Bytes are not parsed, so they count 0. */
function textLengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('body' in value)) return 0;
  return typeof value.body === 'string' ? value.body.length : 0;
}
