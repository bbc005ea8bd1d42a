import { Readable } from 'node:stream';
import { FeedReader, type FeedReaderParts } from './feed-reader.ts';
import type { FrameOf } from './frames.ts';

export interface EventStreamParts {
  readonly reading: Omit<FeedReaderParts, 'send' | 'onLost' | 'onFailure'>;
  readonly frameOf: FrameOf;
  /** Sent before the first event. */
  readonly opening: string;
  /** The client was too slow; the owner drops the stream. */
  readonly onLost: () => void;
  readonly onClose: () => void;
}

/**
 * One client of the feed, as a stream of server-sent events. A client that is too slow gets an
 * event and is disconnected; it comes back with `Last-Event-ID`, or learns that it missed events.
 */
export class EventStream extends Readable {
  readonly #parts: EventStreamParts;
  readonly reader: FeedReader;
  #isOver = false;

  constructor(parts: EventStreamParts) {
    super({ highWaterMark: 64 * 1024 });
    this.#parts = parts;
    const { reading, frameOf, onLost } = parts;
    this.reader = new FeedReader({
      ...reading,
      send: (event) => this.push(frameOf(event)),
      onLost,
      onFailure: (error) => this.destroy(error instanceof Error ? error : undefined),
    });
    this.push(parts.opening);
  }

  override _read(): void {
    this.reader.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.reader.stop();
    this.#parts.onClose();
    done(error);
  }

  /**
   * Sends a comment, which keeps proxies from closing the connection; not if the buffer is full.
   */
  beat(): void {
    if (this.reader.hasRoom) this.push(heartbeat);
  }

  /** Ends the stream in order, with an optional last event. */
  finish(lastWord = ''): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.reader.stop();
    if (lastWord !== '') this.push(lastWord);
    this.push(null);
  }
}

const heartbeat = Buffer.from(': still here\n\n');
