import type { Readable } from 'node:stream';
import type { EventEnvelope } from '../../../plugin-api/index.ts';
import { everyEvent, type EventBus } from '../../../kernel/events/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { Access } from '../../library/catalogue/access/index.ts';
import type { Entities } from '../../library/catalogue/index.ts';
import type { Closing } from './closing.ts';
import { EventSocket, type FeedSocket, type SocketEvents } from './event-socket.ts';
import { EventStream } from './event-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import { createSocketFrames, createStreamFrames } from './frames.ts';
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

/** The live events for clients. */
export type EventFeed = ReturnType<typeof createEventFeed>;

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

/** Creates the feed, which listens from now on. */
export function createEventFeed(parts: EventFeedParts) {
  const { events, clock, feedId, isValid, access, capacity = 10_000, defer = setImmediate } = parts;
  const history = createHistory(capacity, textCapacity);
  const places = createConnectionLimits(parts.limits ?? { clients: 4000, clientsPerUser: 50 });
  const clients = new Set<Client>();
  const frames = { stream: createStreamFrames(feedId), socket: createSocketFrames(feedId) };
  const fanOut = createFanOut({ clients, serve: (client) => client.pour(), defer, clock });
  const undos = everyEvent.map((pattern) => events.listen(pattern, hear));
  let turn = 0;
  let isClosed = false;
  let closed: Promise<void> | null = null;
  let stopHeart: Undo = clock.after(heartbeatMs / beatTurns, beat);

  /** In a cluster events come with their numbers. */
  function hear({ type, data }: EventEnvelope, json: string, number?: number): void {
    if (number !== undefined) history.leap(number);
    history.add({
      type,
      concerns: concernOf(type),
      libraryId: textOf(data, 'libraryId'),
      itemId: textOf(data, 'itemId'),
      entityId: textOf(data, 'entityId'),
      profileId: textOf(data, 'profileId'),
      userId: type === 'user.changed' ? userOf(data) : null,
      json,
    });
    if (clients.size > 0) fanOut.wake();
  }

  function beat(): void {
    turn = (turn + 1) % beatTurns;
    const checks = new Map<string, Promise<boolean>>();
    for (const client of clients) if (client.turn === turn) look(client, checks);
    stopHeart = clock.after(heartbeatMs / beatTurns, beat);
  }

  /** A credential is checked once, for all its streams. */
  function look(client: Client, checks: Map<string, Promise<boolean>>): void {
    client.stalledBeats = client.reader.hasStalled() ? client.stalledBeats + 1 : 0;
    if (client.stalledBeats >= mostStalledBeats) {
      client.end('slow');
      return;
    }
    client.beat();
    const { credentialId } = client.viewer;
    const check = checks.get(credentialId) ?? isValid(credentialId);
    checks.set(credentialId, check);
    check.then(
      (isGood) => !isGood && client.end('ended'),
      () => client.end('failed'),
    );
  }

  const reading = (viewer: Viewer, from: number) => ({
    history,
    from,
    filterReceivable: (unclear: readonly PastEvent[]) => filterReceivable(viewer, unclear),
  });

  /** A stream of server-sent events. */
  function open(viewer: Viewer, { types, lastEventId }: FeedQuery): Readable {
    const filter = createTypeFilter(types ?? null, 'query.types');
    const leave = places.take(viewer.userId);
    const { number, gap } = after(lastEventId);
    const stream: EventStream = new EventStream({
      reading: {
        ...reading(viewer, number + 1),
        canReceive: (event) => filter.wants(event.type) && canReceive(viewer, event, access),
      },
      frameOf: frames.stream,
      opening: `retry: 2000\n\n${gap === null ? '' : gapFrame(idOf(number), gap)}`,
      onLost: () => client.end('slow'),
      onClose: () => forget(),
    });
    const forget = admit(leave, () => client);
    const client: Client = {
      viewer,
      turn,
      reader: stream.reader,
      stalledBeats: 0,
      pour: () => stream.reader.flush(),
      beat: () => stream.beat(),
      end: (why) => {
        forget();
        endStream(stream, why);
      },
    };
    clients.add(client);
    if (isClosed) client.end('stopping');
    return stream;
  }

  /** A client that does not read the reason is disconnected anyway. */
  function endStream(stream: EventStream, why: Closing): void {
    if (why === 'failed') return void stream.destroy();
    stream.finish(why === 'slow' ? droppedFrame : '');
    if (why === 'stopping') return;
    stream.once(
      'close',
      clock.after(graceMs, () => stream.destroy()),
    );
  }

  /** Takes over a WebSocket; the caller reports its messages and its end. */
  function connect(viewer: Viewer, socket: FeedSocket, query: SocketQuery): SocketEvents {
    const filter = createTypeFilter(query.types ?? null, 'query.types');
    const leave = places.take(viewer.userId);
    const { number, gap } = after(query.lastEventId);
    const held: EventSocket = new EventSocket({
      viewer,
      socket,
      filter,
      after,
      idOf,
      clock,
      reading: reading(viewer, number + 1),
      canReceive: (event) => canReceive(viewer, event, access),
      frameOf: frames.socket,
      onClose: () => forget(),
    });
    const forget = admit(leave, () => client);
    const client: Client = {
      viewer,
      turn,
      reader: held.reader,
      stalledBeats: 0,
      pour: () => held.flush(),
      beat: () => held.beat(),
      end: (why) => held.close(why),
    };
    clients.add(client);
    held.open(gap, query.greets === true);
    if (isClosed) client.end('stopping');
    return held;
  }

  /** Throws what `connect` would throw now, so that it can be refused before the handshake. */
  function assertRoom(viewer: Viewer, { types }: FeedQuery): void {
    createTypeFilter(types ?? null, 'query.types');
    places.take(viewer.userId)();
  }

  /** Reserves a connection; gives the function that releases it. */
  const admit =
    (leave: Undo, client: () => Client): Undo =>
    () => {
      leave();
      clients.delete(client());
    };

  const idOf = (number: number): string => `${feedId}.${number}`;

  /** The position after that event, or the current one with the reason for a gap. */
  function after(id: string | undefined): { readonly number: number; readonly gap: string | null } {
    const newest = history.newest();
    if (id === undefined) return { number: newest, gap: null };
    const number = numberOf(id, feedId);
    if (number === null || number > newest) return { number: newest, gap: otherLife };
    if (number < history.oldest() - 1) return { number: newest, gap: tooOld };
    return { number, gap: null };
  }

  /** Those of these events whose item or entity the viewer may see. */
  async function filterReceivable(
    viewer: Viewer,
    unclear: readonly PastEvent[],
  ): Promise<ReadonlySet<PastEvent>> {
    const itemIds = [...new Set(unclear.flatMap(({ itemId }) => itemId ?? []))];
    const entityIds = [...new Set(unclear.flatMap(({ entityId }) => entityId ?? []))];
    const items = await access.filterVisible(viewer, itemIds);
    const found =
      (entityIds.length > 0 && (await parts.entities?.getMany(entityIds, viewer))) || [];
    const seen = new Set(found.map(({ id }) => id));
    return new Set(
      unclear.filter(({ itemId, entityId }) =>
        entityId === null ? itemId !== null && items.has(itemId) : seen.has(entityId),
      ),
    );
  }

  /** Ends the streams of these viewers, because their credentials changed. */
  function end(which: (viewer: Viewer) => boolean): void {
    for (const client of clients) if (which(client.viewer)) client.end('ended');
  }

  async function endAll(): Promise<void> {
    isClosed = true;
    for (const undo of undos) undo();
    stopHeart();
    fanOut.stop();
    await Promise.all([...clients].map(endWhenCurrent));
  }

  /**
   * Stops listening and ends all streams, and each that is opened later. A stream first gets the
   * events that were emitted before, if its client takes them within half a second.
   */
  const close = (): Promise<void> => (closed ??= endAll());

  /** The last events, such as `server.shutdown`, are emitted just before the feed closes. */
  function endWhenCurrent(client: Client): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        stopWaiting();
        client.end('stopping');
        resolve();
      };
      const stopWaiting = clock.after(farewellMs, end);
      client.reader.onceCurrent(end);
    });
  }

  /** The id of the last event; a client that has it continues after it. */
  const position = (): string => idOf(history.newest());

  return {
    open,
    connect,
    assertRoom,
    end,
    position /** The number of clients, of both kinds. */,
    clients: places.taken,
    close,
  };
}

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
