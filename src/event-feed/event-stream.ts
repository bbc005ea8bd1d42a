import { Readable } from 'node:stream';
import { FeedReader, type FeedReaderParts } from './feed-reader.ts';
import type { FrameOf } from './frames.ts';

/** What one stream sends. */
export interface EventStreamParts {
  readonly reading: Omit<FeedReaderParts, 'send' | 'onLost' | 'onFailure'>;
  readonly frameOf: FrameOf;
  /** Sent before the first event. */
  readonly opening: string;
  /** The client was too slow; whoever hears it drops the stream. */
  readonly onLost: () => void;
  readonly onClose: () => void;
}

/**
 * One client of the feed, as a stream of server-sent events. One that is too slow is told so and
 * cut off; it comes back with `Last-Event-ID`, or learns that it missed something.
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

  /** A comment, which keeps proxies from closing the connection; a full stream needs none. */
  beat(): void {
    if (this.reader.isThirsty) this.push(heartbeat);
  }

  /** Ends the stream as a server does that has no more to say, but for a last word. */
  finish(lastWord = ''): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.reader.stop();
    if (lastWord !== '') this.push(lastWord);
    this.push(null);
  }
}

const heartbeat = Buffer.from(': still here\n\n');
