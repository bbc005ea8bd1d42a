import type { Readable } from 'node:stream';
import type { EventEnvelope } from '../../plugin-api/index.ts';
import { everyEvent, parsePattern, type EventBus, type EventPattern } from '../../kernel/index.ts';
import { maySeeLibrary, type Viewer } from '../accounts/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { AppError } from '../errors.ts';
import { EventStream } from './event-stream.ts';
import { createHistory, type History } from './history.ts';
import { mayHear, type MaySeeLibrary } from './may-hear.ts';

/** What a client wants to hear. */
export interface FeedQuery {
  /** Patterns of event names; absent = every event. */
  readonly types?: readonly string[] | undefined;
  /** The id of the last event that the client has; the feed goes on after it. */
  readonly lastEventId?: string | undefined;
}

/** What happens in the server, for its clients. */
export interface EventFeed {
  readonly open: (viewer: Viewer, query: FeedQuery) => Readable;
  /** How many streams are open. */
  readonly clients: () => number;
  /** Ends all streams and listens no more. */
  readonly close: () => void;
}

/** What the feed is made of. */
export interface EventFeedParts {
  readonly events: Pick<EventBus, 'listen'>;
  readonly clock: Clock;
  /** Tells the events of this life of the server from those of another. */
  readonly feedId: string;
  /** Whether a credential is still good: a stream outlives the request that opened it. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
  readonly maySee?: MaySeeLibrary;
  /** How many events are kept for clients that come back; 10 000 when absent. */
  readonly capacity?: number;
}

const textCapacity = 16 * 1024 * 1024;
const heartbeatMs = 15_000;
const mostPerCredential = 20;

interface Client {
  readonly credentialId: string;
  readonly stream: EventStream;
}

/** Creates the feed; it listens from now on. */
export function createEventFeed(parts: EventFeedParts): EventFeed {
  const { events, clock, feedId, isValid, maySee = maySeeLibrary, capacity = 10_000 } = parts;
  const history = createHistory(capacity, textCapacity);
  const clients = new Set<Client>();
  const undos = everyEvent.map((pattern) => events.listen(pattern, hear));
  let stopHeart: Undo = clock.after(heartbeatMs, beat);

  function hear({ type, data }: EventEnvelope, json: string): void {
    const frame = (number: number): string => `id: ${feedId}.${number}\ndata: ${json}\n\n`;
    const libraryId = libraryOf(data);
    history.add((number) => ({ type, libraryId, frame: frame(number) }));
    for (const { stream } of clients) stream.pour();
  }

  function beat(): void {
    for (const client of clients) {
      client.stream.beat();
      void isValid(client.credentialId).then(
        (isGood) => !isGood && client.stream.finish(),
        () => client.stream.destroy(),
      );
    }
    stopHeart = clock.after(heartbeatMs, beat);
  }

  function open(viewer: Viewer, { types, lastEventId }: FeedQuery): Readable {
    const { credentialId } = viewer;
    const isFull =
      [...clients].filter((client) => client.credentialId === credentialId).length >=
      mostPerCredential;
    if (isFull) {
      throw new AppError('too_many_requests', {
        what: `This credential has ${mostPerCredential} event streams open; close one first.`,
      });
    }
    const patterns = types?.map(patternOrRefusal);
    const after = lastEventId === undefined ? history.newest() : numberOf(lastEventId, feedId);
    const isGap = after === null || after < history.oldest() - 1 || after > history.newest();
    const client: Client = {
      credentialId,
      stream: new EventStream({
        history,
        from: (isGap ? history.newest() : after) + 1,
        hears: (event) =>
          (patterns?.some((pattern) => pattern.matches(event.type)) ?? true) &&
          mayHear(viewer, event, maySee),
        opening: `retry: 2000\n\n${isGap ? gapFrame(feedId, history) : ''}`,
        onClose: () => clients.delete(client),
      }),
    };
    clients.add(client);
    return client.stream;
  }

  function close(): void {
    for (const undo of undos) undo();
    stopHeart();
    for (const { stream } of clients) stream.finish();
  }

  return { open, clients: () => clients.size, close };
}

/** A client that asks for what is gone is told so by an event of this name, and goes on from now. */
const gapFrame = (feedId: string, history: History): string =>
  `id: ${feedId}.${history.newest()}\nevent: gap\ndata: {}\n\n`;

/** The number in an id of this feed; `null` = it is from another life of the server. */
function numberOf(id: string, feedId: string): number | null {
  const number = id.startsWith(`${feedId}.`) ? id.slice(feedId.length + 1) : '';
  return /^\d{1,15}$/.test(number) ? Number(number) : null;
}

function patternOrRefusal(text: string): EventPattern {
  const parsed = parsePattern(text);
  if (parsed.ok) return parsed.pattern;
  throw new AppError('invalid_request', { what: `query.types: ${parsed.reason}` });
}

const libraryOf = (data: object): string | null =>
  'libraryId' in data && typeof data.libraryId === 'string' ? data.libraryId : null;
