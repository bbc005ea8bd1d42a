import type { Readable } from 'node:stream';
import type { EventEnvelope } from '../../../plugin-api/index.ts';
import { everyEvent, type EventBus } from '../../../kernel/call/events/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities } from '../../library/catalogue/index.ts';
import type { Closing } from './closing.ts';
import { EventSocket, type FeedSocket, type SocketEvents } from './event-socket.ts';
import { EventStream } from './event-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import { createSocketFrames, createStreamFrames, type FrameOf } from './frames.ts';
import { createHistory, type PastEvent } from './history.ts';
import { concernOf, canReceive } from './can-receive.ts';
import { createConnectionLimits, type FeedLimits } from './connection-limits.ts';
import { createFanOut } from './fan-out.ts';
import { createTypeFilter } from './type-filter.ts';

/** Which events a client requests. */
export interface FeedQuery {
  /** Patterns of event names; absent = every event. */
  readonly types?: readonly string[] | undefined;
  /** The id of the last event that the client has; the feed continues after it. */
  readonly lastEventId?: string | undefined;
}

/** The request of a WebSocket client. */
export interface SocketQuery extends FeedQuery {
  /** It signed in by its first message, and gets a greeting with its subscription. */
  readonly greets?: boolean | undefined;
}

export interface EventFeedParts {
  readonly events: Pick<EventBus, 'listen'>;
  readonly clock: Clock;
  /** Distinguishes the events of this run of the server from those of another. */
  readonly feedId: string;
  /** Whether a credential is still valid: a stream outlives the request that opened it. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
  readonly access: Pick<Access, 'visibilityIn' | 'filterVisible'>;
  /** When absent, events about entities are for nobody. */
  readonly entities?: Pick<Entities, 'getMany'>;
  readonly limits?: FeedLimits;
  /** How many events are kept for replay; 10 000 when absent. */
  readonly capacity?: number;
  /** Defers a function until the current work has ended. */
  readonly defer?: (run: () => void) => void;
}

const textCapacity = 16 * 1024 * 1024;
const heartbeatMs = 15_000;
/** Heartbeats are spread over this many turns, so that not all clients get them at once. */
const beatTurns = 15;
/** A client that has read nothing for this many heartbeats, although events wait, is too slow. */
const mostStalledBeats = 4;
/** How long a dropped client may take to read the reason. */
const graceMs = 5000;
/** How long the last events may take when the server stops. */
const farewellMs = 500;

interface Client {
  readonly viewer: Viewer;
  readonly reader: FeedReader;
  readonly turn: number;
  readonly pour: () => void;
  readonly beat: () => void;
  readonly end: (why: Closing) => void;
  stalledBeats: number;
}

/** The live events for clients. */
export class EventFeed {
  readonly #parts: EventFeedParts;
  readonly #capacity: number;
  readonly #defer: (run: () => void) => void;
  readonly #history: ReturnType<typeof createHistory>;
  readonly #places: ReturnType<typeof createConnectionLimits>;
  readonly #clients = new Set<Client>();
  readonly #frames: {
    stream: FrameOf;
    socket: FrameOf;
  };
  readonly #fanOut: ReturnType<typeof createFanOut>;
  readonly #undos: Undo[];
  #turn = 0;
  #isClosed = false;
  #closed: Promise<void> | null = null;
  #stopHeart: Undo;

  constructor(parts: EventFeedParts) {
    this.#parts = parts;
    this.#capacity = parts.capacity ?? 10_000;
    this.#defer = parts.defer ?? setImmediate;
    this.#history = createHistory(this.#capacity, textCapacity);
    this.#places = createConnectionLimits(parts.limits ?? { clients: 4000, clientsPerUser: 50 });
    this.#frames = {
      stream: createStreamFrames(parts.feedId),
      socket: createSocketFrames(parts.feedId),
    };
    this.#fanOut = createFanOut({
      clients: this.#clients,
      serve: (client) => client.pour(),
      defer: this.#defer,
      clock: parts.clock,
    });
    this.#undos = everyEvent.map((pattern) => parts.events.listen(pattern, this.#hear));
    this.#stopHeart = parts.clock.after(heartbeatMs / beatTurns, this.#beat);
  }

  /** In a cluster events come with their numbers. */
  readonly #hear = ({ type, data }: EventEnvelope, json: string, number?: number): void => {
    if (number !== undefined) this.#history.leap(number);
    this.#history.add({
      type,
      concerns: concernOf(type),
      libraryId: textOf(data, 'libraryId'),
      itemId: textOf(data, 'itemId'),
      entityId: textOf(data, 'entityId'),
      profileId: textOf(data, 'profileId'),
      userId: type === 'user.changed' ? userOf(data) : null,
      json,
    });
    if (this.#clients.size > 0) this.#fanOut.wake();
  };

  readonly #beat = (): void => {
    this.#turn = (this.#turn + 1) % beatTurns;
    const checks = new Map<string, Promise<boolean>>();
    for (const client of this.#clients) if (client.turn === this.#turn) this.#look(client, checks);
    this.#stopHeart = this.#parts.clock.after(heartbeatMs / beatTurns, this.#beat);
  };

  /** A credential is checked once, for all its streams. */
  #look(client: Client, checks: Map<string, Promise<boolean>>): void {
    client.stalledBeats = client.reader.hasStalled() ? client.stalledBeats + 1 : 0;
    if (client.stalledBeats >= mostStalledBeats) {
      client.end('slow');
      return;
    }
    client.beat();
    const { credentialId } = client.viewer;
    const check = checks.get(credentialId) ?? this.#parts.isValid(credentialId);
    checks.set(credentialId, check);
    check.then(
      (isGood) => !isGood && client.end('ended'),
      () => client.end('failed'),
    );
  }

  readonly #reading = (viewer: Viewer, from: number) => ({
    history: this.#history,
    from,
    filterReceivable: (unclear: readonly PastEvent[]) => this.#filterReceivable(viewer, unclear),
  });

  /** A stream of server-sent events. */
  readonly open = (viewer: Viewer, { types, lastEventId }: FeedQuery): Readable => {
    const filter = createTypeFilter(types ?? null, 'query.types');
    const leave = this.#places.take(viewer.userId);
    const { number, gap } = this.#after(lastEventId);
    const stream: EventStream = new EventStream({
      reading: {
        ...this.#reading(viewer, number + 1),
        canReceive: (event) =>
          filter.wants(event.type) && canReceive(viewer, event, this.#parts.access),
      },
      frameOf: this.#frames.stream,
      opening: `retry: 2000\n\n${gap === null ? '' : gapFrame(this.#idOf(number), gap)}`,
      onLost: () => client.end('slow'),
      onClose: () => forget(),
    });
    const forget = this.#admit(leave, () => client);
    const client: Client = {
      viewer,
      turn: this.#turn,
      reader: stream.reader,
      stalledBeats: 0,
      pour: () => stream.reader.flush(),
      beat: () => stream.beat(),
      end: (why) => {
        forget();
        this.#endStream(stream, why);
      },
    };
    this.#clients.add(client);
    if (this.#isClosed) client.end('stopping');
    return stream;
  };

  /** A client that does not read the reason is disconnected anyway. */
  #endStream(stream: EventStream, why: Closing): void {
    if (why === 'failed') return void stream.destroy();
    stream.finish(why === 'slow' ? droppedFrame : '');
    if (why === 'stopping') return;
    stream.once(
      'close',
      this.#parts.clock.after(graceMs, () => stream.destroy()),
    );
  }

  /** Takes over a WebSocket; the caller reports its messages and its end. */
  readonly connect = (viewer: Viewer, socket: FeedSocket, query: SocketQuery): SocketEvents => {
    const filter = createTypeFilter(query.types ?? null, 'query.types');
    const leave = this.#places.take(viewer.userId);
    const { number, gap } = this.#after(query.lastEventId);
    const held: EventSocket = new EventSocket({
      viewer,
      socket,
      filter,
      after: this.#after,
      idOf: this.#idOf,
      clock: this.#parts.clock,
      reading: this.#reading(viewer, number + 1),
      canReceive: (event) => canReceive(viewer, event, this.#parts.access),
      frameOf: this.#frames.socket,
      onClose: () => forget(),
    });
    const forget = this.#admit(leave, () => client);
    const client: Client = {
      viewer,
      turn: this.#turn,
      reader: held.reader,
      stalledBeats: 0,
      pour: () => held.flush(),
      beat: () => held.beat(),
      end: (why) => held.close(why),
    };
    this.#clients.add(client);
    held.open(gap, query.greets === true);
    if (this.#isClosed) client.end('stopping');
    return held;
  };

  /** Throws what `connect` would throw now, so that it can be refused before the handshake. */
  readonly assertRoom = (viewer: Viewer, { types }: FeedQuery): void => {
    createTypeFilter(types ?? null, 'query.types');
    this.#places.take(viewer.userId)();
  };

  /** Reserves a connection; gives the function that releases it. */
  readonly #admit =
    (leave: Undo, client: () => Client): Undo =>
    () => {
      leave();
      this.#clients.delete(client());
    };

  readonly #idOf = (number: number): string => `${this.#parts.feedId}.${number}`;

  /** The position after that event, or the current one with the reason for a gap. */
  readonly #after = (
    id: string | undefined,
  ): { readonly number: number; readonly gap: string | null } => {
    const newest = this.#history.newest();
    if (id === undefined) return { number: newest, gap: null };
    const number = numberOf(id, this.#parts.feedId);
    if (number === null || number > newest) return { number: newest, gap: otherLife };
    if (number < this.#history.oldest() - 1) return { number: newest, gap: tooOld };
    return { number, gap: null };
  };

  /** Those of these events whose item or entity the viewer may see. */
  async #filterReceivable(
    viewer: Viewer,
    unclear: readonly PastEvent[],
  ): Promise<ReadonlySet<PastEvent>> {
    const itemIds = [...new Set(unclear.flatMap(({ itemId }) => itemId ?? []))];
    const entityIds = [...new Set(unclear.flatMap(({ entityId }) => entityId ?? []))];
    const items = await this.#parts.access.filterVisible(viewer, itemIds);
    const found =
      (entityIds.length > 0 && (await this.#parts.entities?.getMany(entityIds, viewer))) || [];
    const seen = new Set(found.map(({ id }) => id));
    return new Set(
      unclear.filter(({ itemId, entityId }) =>
        entityId === null ? itemId !== null && items.has(itemId) : seen.has(entityId),
      ),
    );
  }

  /** Ends the streams of these viewers, because their credentials changed. */
  readonly end = (which: (viewer: Viewer) => boolean): void => {
    for (const client of this.#clients) if (which(client.viewer)) client.end('ended');
  };

  async #endAll(): Promise<void> {
    this.#isClosed = true;
    for (const undo of this.#undos) undo();
    this.#stopHeart();
    this.#fanOut.stop();
    await Promise.all([...this.#clients].map(this.#endWhenCurrent));
  }

  /**
   * Stops listening and ends all streams, and each that is opened later. A stream first gets the
   * events that were emitted before, if its client takes them within half a second.
   */
  readonly close = (): Promise<void> => (this.#closed ??= this.#endAll());

  /** The last events, such as `server.shutdown`, are emitted just before the feed closes. */
  readonly #endWhenCurrent = (client: Client): Promise<void> => {
    return new Promise((resolve) => {
      const end = (): void => {
        stopWaiting();
        client.end('stopping');
        resolve();
      };
      const stopWaiting = this.#parts.clock.after(farewellMs, end);
      client.reader.onceCurrent(end);
    });
  };

  /** The id of the last event; a client that has it continues after it. */
  readonly position = (): string => this.#idOf(this.#history.newest());

  readonly clients = (): number => this.#places.taken();
}

/** Creates the feed, which listens from now on. */
export const createEventFeed = (parts: EventFeedParts): EventFeed => new EventFeed(parts);

const otherLife = 'That id is from another run of the server: load the data that you show again.';
const tooOld =
  'The events after that id are no longer available: load the data that you show again.';

/** Tells a client that events were lost; the feed continues from now. */
const gapFrame = (id: string, reason: string): string =>
  `id: ${id}\nevent: gap\ndata: ${JSON.stringify({ reason })}\n\n`;

const droppedFrame =
  'event: dropped\ndata: {"reason":"Too slow: you do not read the waiting events."}\n\n';

/** The number in an id of this feed; `null` = the id is from another run of the server. */
function numberOf(id: string, feedId: string): number | null {
  const number = id.startsWith(`${feedId}.`) ? id.slice(feedId.length + 1) : '';
  return /^\d{1,15}$/.test(number) ? Number(number) : null;
}

/** A credential is its user's; other subjects are for admins alone. */
const userOf = (data: object): string | null =>
  textOf(data, 'subject') === 'credential' ? textOf(data, 'id') : null;

function textOf(
  data: object,
  key: 'libraryId' | 'itemId' | 'entityId' | 'profileId' | 'subject' | 'id',
): string | null {
  const value: unknown = Object.hasOwn(data, key) ? Reflect.get(data, key) : undefined;
  return typeof value === 'string' ? value : null;
}
