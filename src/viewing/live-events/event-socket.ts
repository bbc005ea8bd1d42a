import type { Viewer } from '../../people/viewer/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { NotJson, parseClientMessage, type ClientMessage } from './client-message.ts';
import { closings, type Closing } from './closing.ts';
import { FeedReader, type FeedReaderParts } from './feed-reader.ts';
import { textFrame, type FrameOf } from './frames.ts';
import { createTypeFilter, type TypeFilter } from './type-filter.ts';
import { createTokenBucket } from '../../../packages/lib/concurrency/index.ts';

/** One WebSocket, as the feed writes to it. */
export interface FeedSocket {
  /** Sends one whole frame; `false` = the buffer is full until it has drained. */
  readonly write: (frame: Buffer) => boolean;
  /** Sends all frames that `work` writes in one packet. */
  readonly together: (work: () => void) => void;
  /** Whether the buffer is full. */
  readonly isFull: () => boolean;
  readonly ping: () => void;
  readonly close: (code: number, reason: string) => void;
  /** Cuts the connection and drops what is buffered. */
  readonly cut: () => void;
}

/** What the owner of the connection reports to the feed. */
export interface SocketEvents {
  /** A message of the client. */
  readonly onMessage: (message: Buffer, isBinary: boolean) => void;
  /** A ping or a pong of the client. */
  readonly onSign: () => void;
  readonly onDrain: () => void;
  readonly onClose: () => void;
}

export interface EventSocketParts {
  readonly viewer: Viewer;
  readonly socket: FeedSocket;
  readonly filter: TypeFilter;
  readonly reading: Omit<FeedReaderParts, 'send' | 'onLost' | 'onFailure' | 'canReceive'>;
  /** Whether the viewer may receive an event of a subscribed type. */
  readonly canReceive: FeedReaderParts['canReceive'];
  readonly frameOf: FrameOf;
  /** The position after an id; with the reason if the events after it are no longer available. */
  readonly after: (id: string) => { readonly number: number; readonly gap: string | null };
  /** The id of the event with that number. */
  readonly idOf: (number: number) => string;
  readonly clock: Clock;
  readonly onClose: () => void;
}

/** How long a client may take for the closing handshake. */
const graceMs = 5000;
/** The same when the server stops. */
const stoppingGraceMs = 1500;
/** How many pings in a row a client may leave unanswered. */
const mostUnanswered = 2;

/**
 * One client of the feed over a WebSocket. It receives the events that pass its filter, and may
 * change the filter by messages. Further messages or slow reading cost the server a bounded amount
 * and end with a close code.
 */
export class EventSocket implements SocketEvents {
  readonly reader: FeedReader;
  readonly #parts: EventSocketParts;
  readonly #spend: () => boolean;
  #filter: TypeFilter;
  #unanswered = 0;
  #isOver = false;
  #stopGrace: Undo | null = null;

  constructor(parts: EventSocketParts) {
    const { reading, socket, frameOf, canReceive } = parts;
    this.#parts = parts;
    this.#filter = parts.filter;
    this.#spend = createMessageBudget(parts.clock);
    this.reader = new FeedReader({
      ...reading,
      canReceive: (event) => this.#filter.wants(event.type) && canReceive(event),
      send: (event) => socket.write(frameOf(event)),
      onLost: () => this.close('slow'),
      onFailure: () => this.close('failed'),
    });
  }

  /** Starts sending; a client that signed in by a message gets a greeting. */
  open(gap: string | null, greets: boolean): void {
    if (greets) this.#greet();
    if (gap !== null) this.#tellGap(gap);
    this.flush();
  }

  /** Sends what is new. */
  flush(): void {
    if (this.reader.hasRoom) this.#parts.socket.together(() => this.reader.flush());
    else this.reader.flush();
  }

  /** Sends a ping. */
  beat(): void {
    if (this.#unanswered >= mostUnanswered) {
      this.close('silent');
      return;
    }
    const { socket } = this.#parts;
    if (socket.isFull()) this.reader.pause();
    this.#unanswered += 1;
    socket.ping();
  }

  /** Closes it; the connection is cut if the client does not answer soon. */
  close(why: Closing): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.reader.stop();
    const { socket, clock, onClose } = this.#parts;
    const { code, reason } = closings[why];
    socket.close(code, reason);
    this.#stopGrace = clock.after(why === 'stopping' ? stoppingGraceMs : graceMs, socket.cut);
    onClose();
  }

  onMessage(message: Buffer, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#unanswered = 0;
    if (isBinary) this.close('notText');
    else if (!this.#spend()) this.close('flood');
    else this.#read(message.toString());
  }

  onSign(): void {
    this.#unanswered = 0;
    if (!this.#isOver && !this.#spend()) this.close('flood');
  }

  onDrain(): void {
    this.#parts.socket.together(() => this.reader.resume());
  }

  onClose(): void {
    this.#isOver = true;
    this.reader.stop();
    this.#stopGrace?.();
    this.#parts.onClose();
  }

  #read(text: string): void {
    try {
      this.#handle(parseClientMessage(text));
    } catch (error) {
      if (error instanceof NotJson) this.close('notJson');
      else if (isRefusal(error)) this.#tell(errorMessage(error));
      else throw error;
    }
  }

  #handle(message: ClientMessage): void {
    switch (message.type) {
      case 'auth':
        throw refusal('You are signed in already; to change the user, close and connect again.');
      case 'ping':
        this.#tell({ type: 'pong' });
        break;
      case 'subscribe':
        this.#filter = createTypeFilter(this.#added(message.types), 'types');
        this.#goOn(message.since);
        break;
      case 'unsubscribe':
        this.#filter = createTypeFilter(this.#without(message.types), 'types');
        this.#goOn(null);
    }
  }

  #goOn(since: string | null): void {
    const from = since === null ? null : this.#parts.after(since);
    if (from !== null) this.reader.seek(from.number + 1);
    this.#greet();
    if (from !== null && from.gap !== null) this.#tellGap(from.gap);
    this.flush();
  }

  /** Sends the client its subscription and its position. */
  #greet(): void {
    const { types } = this.#filter;
    this.#tell({ type: 'subscribed', types, id: this.#parts.idOf(this.reader.position) });
  }

  /** For a client that receives everything, named types replace that subscription. */
  #added(types: readonly string[] | null): readonly string[] | null {
    const known = this.#filter.types ?? [];
    return types === null ? null : [...new Set([...known, ...types])];
  }

  #without(types: readonly string[] | null): readonly string[] {
    const known = this.#filter.types;
    if (types === null) return [];
    if (known === null)
      throw refusal('You receive all events: subscribe to the types that you want.');
    return known.filter((type) => !types.includes(type));
  }

  /** Tells the client that events after its last one were lost. */
  #tellGap(reason: string): void {
    this.#tell({ type: 'gap', id: this.#parts.idOf(this.reader.position), reason });
  }

  #tell(message: object): void {
    const takesMore = this.#parts.socket.write(textFrame(JSON.stringify(message)));
    if (!takesMore) this.reader.pause();
  }
}

const isRefusal = (error: unknown): error is AppError => error instanceof AppError;

const errorMessage = ({ code, message }: AppError): object => ({
  type: 'error',
  code,
  error: message,
});

const refusal = (what: string): AppError => new AppError('invalid_request', { what });

/** Whether the client may send one more message. */
type Spend = () => boolean;

/** Ten messages a second, in bursts of 60. */
const rate = { capacity: 60, refill: 10, everyMs: 1000 };

/** Limits the messages of one client. */
function createMessageBudget({ now }: Pick<Clock, 'now'>): Spend {
  const bucket = createTokenBucket(rate, now);
  return () => bucket.take() === 0;
}
