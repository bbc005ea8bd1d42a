/**
 * Records the events that plugins follow. An event is in the journal before `emit` returns and in
 * the database moments later, many in one transaction; only then is a follower notified. Without
 * followers it does not listen and makes no file.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import { everyEvent, parsePattern, type EventBus } from '../../../kernel/events/index.ts';
import type { Database } from '../../../kernel/storage/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import {
  dropOldest,
  forgetJournal,
  storeEvents,
  readUpTo,
  saveUpTo,
  type Follower,
  type StoredEvent,
} from './event-log-store.ts';
import { createJournal, readJournal, removeJournal, type JournalLine } from './journal.ts';

/** The subject of an event, as far as access depends on it. */
export interface EventSubject {
  readonly libraryId: string | null;
  readonly itemId: string | null;
  readonly entityId: string | null;
}

/**
 * Whether each of these events may be published to an admin, and so to an address that an admin
 * names.
 */
export type CanPublish = (subjects: readonly EventSubject[]) => Promise<readonly boolean[]>;

/** The events that a plugin may receive, of those that an admin may; `null` = all. */
export type CanReceive = (
  pluginId: string,
) => ((event: { readonly type: string; readonly data: unknown }) => Promise<boolean>) | null;

export type Recorder = ReturnType<typeof createRecorder>;

export interface RecorderParts {
  readonly database: Database;
  readonly events: Pick<EventBus, 'listen'>;
  readonly canPublish: CanPublish;
  readonly canReceive: CanReceive;
  /** The path of the journal. */
  readonly file: string;
  /** Called when events were stored for these plugins. */
  readonly onStored: (pluginIds: readonly string[]) => void;
  /** Called when events of a plugin were dropped because too many waited. */
  readonly onLost: (pluginId: string, count: number) => void;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** How many events may wait per plugin; 100 000 when absent. */
  readonly capacity?: number;
}

interface Waiting extends JournalLine {
  readonly type: string;
  readonly data: object;
  readonly subject: EventSubject;
}

interface FollowerFilter {
  readonly pluginId: string;
  readonly matches: (type: string) => boolean;
}

const longestEvent = 131_072;
const settleMs = 50;
const outageMs = 1000;
const rowsOfOneWrite = 500;
/** Above this the database has been unavailable for long, and further events are dropped. */
const mostWaiting = 50_000;
const mostWaitingText = 64 * 1024 * 1024;
/** How many events are stored between two counts for the limit. */
const countedEvery = 1000;

/** Creates a recorder without followers. */
export function createRecorder(parts: RecorderParts) {
  const { database, events, canPublish, file, clock, newId, log, capacity = 100_000 } = parts;
  const journal = createJournal(file, newId());
  let filters: readonly FollowerFilter[] = [];
  let audiences = new Map<string, boolean>();
  let undos: readonly Undo[] = [];
  let waiting: Waiting[] = [];
  let waitingText = 0;
  let lost = 0;
  let unwritten = 0;
  let cancel: Undo | undefined;
  const writes = createSerialQueue();
  const sinceCounted = new Map<string, number>();

  function record({ type, data }: { type: string; data: object }, json: string): void {
    if (!isFollowed(type)) return;
    const isTooMuch = waiting.length >= mostWaiting || waitingText + json.length > mostWaitingText;
    if (json.length > longestEvent || isTooMuch) {
      lose(type, json.length);
      return;
    }
    const id = newId();
    let no: number;
    try {
      no = journal.append(id, json);
    } catch (error) {
      // Kept in memory only, with the last number, which preserves the order.
      no = waiting.at(-1)?.no ?? 0;
      unwritten += 1;
      if (isMilestone(unwritten))
        log.error({ err: error, unwritten }, 'An event could not be written to the journal.');
    }
    waiting.push({ no, id, json, type, data, subject: subjectOf(data) });
    waitingText += json.length;
    cancel ??= clock.after(settleMs, () => void flush());
  }

  function isFollowed(type: string): boolean {
    const known = audiences.get(type);
    if (known !== undefined) return known;
    if (audiences.size >= 1000) audiences.clear();
    const found = filters.some(({ matches }) => matches(type));
    audiences.set(type, found);
    return found;
  }

  function lose(type: string, length: number): void {
    lost += 1;
    if (isMilestone(lost))
      log.error(
        { type, length, lost },
        'An event was not kept: it is too large, or too many wait.',
      );
  }

  /**
   * Resolves when all events so far are in the database, or could not be written. One write after
   * the other; later events go into the next write.
   */
  function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    return writes.run(writeAll).catch((error: unknown) => {
      log.error({ err: error, waiting: waiting.length }, 'Events could not be stored yet.');
      cancel ??= clock.after(outageMs, () => void flush());
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, rowsOfOneWrite);
      await store(batch, journal.id);
      waiting = waiting.slice(batch.length);
      waitingText -= batch.reduce((sum, { json }) => sum + json.length, 0);
      journal.settle(waiting);
    }
  }

  async function store(batch: readonly Waiting[], journalId: string): Promise<void> {
    const may = await canPublish(batch.map(({ subject }) => subject));
    const published = batch.filter((_, index) => may[index] === true);
    const rows: StoredEvent[] = [];
    for (const { pluginId, matches } of filters) {
      const isWithin = parts.canReceive(pluginId);
      for (const { id, type, data, json } of published)
        if (matches(type) && (isWithin === null || (await isWithin({ type, data }))))
          rows.push({ pluginId, eventId: id, envelope: json });
    }
    const pluginIds = [...new Set(rows.map(({ pluginId }) => pluginId))];
    const dropped = await database.write(async (trx) => {
      await storeEvents(trx, database.insertRows, rows);
      await saveUpTo(trx, journalId, batch.at(-1)?.no ?? 0);
      const gone: (readonly [string, number])[] = [];
      for (const one of pluginIds.filter((id) => isDueForCount(id, rows.length)))
        gone.push([one, await dropOldest(trx, one, capacity)]);
      return gone;
    });
    for (const [pluginId, count] of dropped) if (count > 0) parts.onLost(pluginId, count);
    if (pluginIds.length > 0) parts.onStored(pluginIds);
  }

  function isDueForCount(pluginId: string, more: number): boolean {
    const since = (sinceCounted.get(pluginId) ?? countedEvery) + more;
    sinceCounted.set(pluginId, since >= countedEvery ? 0 : since);
    return since >= countedEvery;
  }

  return {
    /** Recovers the journal of the last run of the server. */
    recover: async (): Promise<void> => {
      const left = readJournal(file);
      if (left === null) {
        removeJournal(file);
        return;
      }
      const upTo = await readUpTo(database.read, left.id);
      const lines = left.lines
        .filter(({ no }) => no > upTo)
        .flatMap((line) => withType(line) ?? []);
      for (let from = 0; from < lines.length; from += rowsOfOneWrite)
        await store(lines.slice(from, from + rowsOfOneWrite), left.id);
      removeJournal(file);
      await database.write((trx) => forgetJournal(trx, left.id));
    },
    follow: (followers: readonly Follower[]): void => {
      filters = followers.map(({ pluginId, patterns }) => ({ pluginId, matches: oneOf(patterns) }));
      audiences = new Map();
      if (filters.length > 0 && undos.length === 0)
        undos = everyEvent.map((pattern) => events.listen(pattern, record));
      if (filters.length > 0) return;
      for (const undo of undos) undo();
      undos = [];
    },
    flush,
    /** Writes the remaining events and stops listening. */
    close: async (): Promise<void> => {
      for (const undo of undos) undo();
      undos = [];
      await flush();
      cancel?.();
      if (waiting.length === 0 && journal.isUsed())
        await database.write((trx) => forgetJournal(trx, journal.id)).catch(() => undefined);
      journal.close();
    },
  };
}

function oneOf(patterns: readonly string[]): (type: string) => boolean {
  const parsed = patterns.flatMap((text) => {
    const found = parsePattern(text);
    return found.ok ? [found.pattern] : [];
  });
  return (type) => parsed.some((pattern) => pattern.matches(type));
}

/** Limits log lines during a flood of failures. */
const isMilestone = (count: number): boolean => Number.isInteger(Math.log10(count));

/** An event from a line of an earlier run. */
function withType(line: JournalLine): Waiting | null {
  try {
    const { type, data } = JSON.parse(line.json) as { type: unknown; data: unknown };
    if (typeof type !== 'string' || typeof data !== 'object' || data === null) return null;
    return { ...line, type, data, subject: subjectOf(data) };
  } catch {
    return null;
  }
}

function subjectOf(data: object): EventSubject {
  const value = (key: 'libraryId' | 'itemId' | 'entityId'): string | null => {
    const found: unknown = Object.hasOwn(data, key) ? Reflect.get(data, key) : null;
    return typeof found === 'string' ? found : null;
  };
  return { libraryId: value('libraryId'), itemId: value('itemId'), entityId: value('entityId') };
}
