import type { Viewer } from '../accounts/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { AppError } from '../errors.ts';
import { NotJson, parseClientMessage, type ClientMessage } from './client-message.ts';
import { closings, type Closing } from './closing.ts';
import { FeedReader, type FeedReaderParts } from './feed-reader.ts';
import { textFrame, type FrameOf } from './frames.ts';
import { createMessageBudget } from './message-budget.ts';
import { createTypeFilter, type TypeFilter } from './type-filter.ts';

/** One WebSocket, as the feed writes to it. */
export interface FeedSocket {
  /** Sends one whole frame; `false` = it takes no more until it has drained. */
  readonly write: (frame: Buffer) => boolean;
  /** Sends what `work` writes as one. */
  readonly together: (work: () => void) => void;
  /** Whether the client has so much to read that nothing should be added. */
  readonly isFull: () => boolean;
  readonly ping: () => void;
  readonly close: (code: number, reason: string) => void;
  /** Ends the connection, whatever is still to be sent. */
  readonly cut: () => void;
}

/** What whoever holds the connection tells the feed of it. */
export interface SocketEvents {
  /** A message of the client. */
  readonly onMessage: (message: Buffer, isBinary: boolean) => void;
  /** A ping or a pong of the client. */
  readonly onSign: () => void;
  readonly onDrain: () => void;
  readonly onClose: () => void;
}

/** What one socket is made of. */
export interface EventSocketParts {
  readonly viewer: Viewer;
  readonly socket: FeedSocket;
  readonly filter: TypeFilter;
  readonly reading: Omit<FeedReaderParts, 'send' | 'onLost' | 'onFailure' | 'hears'>;
  /** Whether the viewer may hear an event of a type that it wants. */
  readonly mayHear: FeedReaderParts['hears'];
  readonly frameOf: FrameOf;
  /** Where to go on after an id; the reason where what follows it is not there any more. */
  readonly after: (id: string) => { readonly number: number; readonly gap: string | null };
  /** The id of the event with that number. */
  readonly idOf: (number: number) => string;
  readonly clock: Clock;
  readonly onClose: () => void;
}

/** So long a client may take to say goodbye. */
const graceMs = 5000;
/** The end of the server does not wait that long. */
const stoppingGraceMs = 1500;
/** A client may leave so many pings in a row unanswered. */
const mostUnanswered = 2;

/**
 * One client of the feed behind a WebSocket. It hears at once what its filter lets through, and may
 * change that by messages. Whatever it sends beyond those, or however slowly it reads, costs the
 * server a bounded amount and ends with a close code that says why.
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
    const { reading, socket, frameOf, mayHear } = parts;
    this.#parts = parts;
    this.#filter = parts.filter;
    this.#spend = createMessageBudget(parts.clock);
    this.reader = new FeedReader({
      ...reading,
      hears: (event) => this.#filter.wants(event.type) && mayHear(event),
      send: (event) => socket.write(frameOf(event)),
      onLost: () => this.close('slow'),
      onFailure: () => this.close('failed'),
    });
  }

  /** Begins; a client that signed in by a message is told what it hears. */
  open(gap: string | null, greets: boolean): void {
    if (greets) this.#greet();
    if (gap !== null) this.#tellGap(gap);
    this.pour();
  }

  /** Sends what is new. */
  pour(): void {
    if (this.reader.isThirsty) this.#parts.socket.together(() => this.reader.pour());
    else this.reader.pour();
  }

  /** Asks for a sign of life. */
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

  /** Ends it; the connection is cut when the client does not say goodbye soon. */
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
      this.#obey(parseClientMessage(text));
    } catch (error) {
      if (error instanceof NotJson) this.close('notJson');
      else if (isRefusal(error)) this.#tell(errorMessage(error));
      else throw error;
    }
  }

  #obey(message: ClientMessage): void {
    switch (message.type) {
      case 'auth':
        throw refusal('You are signed in already; close, and connect again as somebody else.');
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
    this.pour();
  }

  /** Tells the client what it hears, and from where on. */
  #greet(): void {
    const { types } = this.#filter;
    this.#tell({ type: 'subscribed', types, id: this.#parts.idOf(this.reader.position) });
  }

  /** Who hears everything and names types wants those and no others. */
  #added(types: readonly string[] | null): readonly string[] | null {
    const known = this.#filter.types ?? [];
    return types === null ? null : [...new Set([...known, ...types])];
  }

  #without(types: readonly string[] | null): readonly string[] {
    const known = this.#filter.types;
    if (types === null) return [];
    if (known === null) throw refusal('You hear everything: subscribe to the types that you want.');
    return known.filter((type) => !types.includes(type));
  }

  /** Says that what came after the client's last event is gone. */
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
