import type { Readable } from 'node:stream';
import type { EventEnvelope } from '../../plugin-api/index.ts';
import { everyEvent, parsePattern, type EventBus, type EventPattern } from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Access } from '../library/index.ts';
import { EventStream } from './event-stream.ts';
import { createHistory, type History, type PastEvent } from './history.ts';
import { mayHear } from './may-hear.ts';

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
  /** Ends the streams of those viewers: what opened them is no more as it was. */
  readonly end: (which: (viewer: Viewer) => boolean) => void;
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
  readonly access: Pick<Access, 'sightInto' | 'shownAmong'>;
  /** How many events are kept for clients that come back; 10 000 when absent. */
  readonly capacity?: number;
}

const textCapacity = 16 * 1024 * 1024;
const heartbeatMs = 15_000;
const mostPerCredential = 20;

interface Client {
  readonly viewer: Viewer;
  readonly stream: EventStream;
}

/** Creates the feed; it listens from now on. */
export function createEventFeed(parts: EventFeedParts): EventFeed {
  const { events, clock, feedId, isValid, access, capacity = 10_000 } = parts;
  const history = createHistory(capacity, textCapacity);
  const clients = new Set<Client>();
  const undos = everyEvent.map((pattern) => events.listen(pattern, hear));
  let stopHeart: Undo = clock.after(heartbeatMs, beat);

  function hear({ type, data }: EventEnvelope, json: string): void {
    const frame = (number: number): string => `id: ${feedId}.${number}\ndata: ${json}\n\n`;
    const about = {
      libraryId: textOf(data, 'libraryId'),
      itemId: textOf(data, 'itemId'),
      profileId: textOf(data, 'profileId'),
    };
    history.add((number) => ({ type, ...about, frame: frame(number) }));
    for (const { stream } of clients) stream.pour();
  }

  function beat(): void {
    for (const client of clients) {
      client.stream.beat();
      void isValid(client.viewer.credentialId).then(
        (isGood) => !isGood && client.stream.finish(),
        () => client.stream.destroy(),
      );
    }
    stopHeart = clock.after(heartbeatMs, beat);
  }

  function open(viewer: Viewer, { types, lastEventId }: FeedQuery): Readable {
    const { credentialId } = viewer;
    const isFull =
      [...clients].filter((client) => client.viewer.credentialId === credentialId).length >=
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
      viewer,
      stream: new EventStream({
        history,
        from: (isGap ? history.newest() : after) + 1,
        hears: (event) =>
          (patterns?.some((pattern) => pattern.matches(event.type)) ?? true) &&
          mayHear(viewer, event, access),
        heardAmong: (unclear) => heardAmong(viewer, unclear),
        opening: `retry: 2000\n\n${isGap ? gapFrame(feedId, history) : ''}`,
        onClose: () => clients.delete(client),
      }),
    };
    clients.add(client);
    return client.stream;
  }

  /** Those of these events whose item the viewer may see. */
  async function heardAmong(
    viewer: Viewer,
    unclear: readonly PastEvent[],
  ): Promise<ReadonlySet<PastEvent>> {
    const itemIds = [...new Set(unclear.flatMap(({ itemId }) => itemId ?? []))];
    const shown = await access.shownAmong(viewer, itemIds);
    return new Set(unclear.filter(({ itemId }) => itemId !== null && shown.has(itemId)));
  }

  function end(which: (viewer: Viewer) => boolean): void {
    for (const { viewer, stream } of clients) if (which(viewer)) stream.finish();
  }

  function close(): void {
    for (const undo of undos) undo();
    stopHeart();
    for (const { stream } of clients) stream.finish();
  }

  return { open, end, clients: () => clients.size, close };
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

function textOf(data: object, key: 'libraryId' | 'itemId' | 'profileId'): string | null {
  const value = new Map<string, unknown>(Object.entries(data)).get(key);
  return typeof value === 'string' ? value : null;
}
