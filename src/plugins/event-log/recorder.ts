/**
 * Records the events that plugins follow. An event is in the journal before `emit` returns and in
 * the database moments later, many in one transaction; only then is a follower notified. Without
 * followers it does not listen and makes no file.
 */
import { createSerialQueue } from '../../../packages/lib/concurrency/index.ts';
import type { Log } from '../../../kernel/index.ts';
import { everyEvent, parsePattern, type EventBus } from '../../../kernel/call/events/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
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

export class Recorder {
  readonly #parts: RecorderParts;
  readonly #capacity: number;
  readonly #journal: ReturnType<typeof createJournal>;
  #filters: readonly FollowerFilter[] = [];
  #audiences = new Map<string, boolean>();
  #undos: readonly Undo[] = [];
  #waiting: Waiting[] = [];
  #waitingText = 0;
  #lost = 0;
  #unwritten = 0;
  #cancel: Undo | undefined;
  readonly #writes = createSerialQueue();
  readonly #sinceCounted = new Map<string, number>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    this.#capacity = parts.capacity ?? 100_000;
    this.#journal = createJournal(parts.file, parts.newId());
  }

  readonly #record = ({ type, data }: { type: string; data: object }, json: string): void => {
    const { newId, log, clock } = this.#parts;
    if (!this.#isFollowed(type)) return;
    const isTooMuch =
      this.#waiting.length >= mostWaiting || this.#waitingText + json.length > mostWaitingText;
    if (json.length > longestEvent || isTooMuch) {
      this.#lose(type, json.length);
      return;
    }
    const id = newId();
    let no: number;
    try {
      no = this.#journal.append(id, json);
    } catch (error) {
      // Kept in memory only, with the last number, which preserves the order.
      no = this.#waiting.at(-1)?.no ?? 0;
      this.#unwritten += 1;
      if (isMilestone(this.#unwritten))
        log.error(
          { err: error, unwritten: this.#unwritten },
          'An event could not be written to the journal.',
        );
    }
    this.#waiting.push({ no, id, json, type, data, subject: subjectOf(data) });
    this.#waitingText += json.length;
    this.#cancel ??= clock.after(settleMs, () => void this.flush());
  };

  #isFollowed(type: string): boolean {
    const known = this.#audiences.get(type);
    if (known !== undefined) return known;
    if (this.#audiences.size >= 1000) this.#audiences.clear();
    const found = this.#filters.some(({ matches }) => matches(type));
    this.#audiences.set(type, found);
    return found;
  }

  #lose(type: string, length: number): void {
    this.#lost += 1;
    if (isMilestone(this.#lost))
      this.#parts.log.error(
        { type, length, lost: this.#lost },
        'An event was not kept: it is too large, or too many wait.',
      );
  }

  /**
   * Resolves when all events so far are in the database, or could not be written. One write after
   * the other; later events go into the next write.
   */
  readonly flush = (): Promise<void> => {
    this.#cancel?.();
    this.#cancel = undefined;
    return this.#writes.run(this.#writeAll).catch((error: unknown) => {
      this.#parts.log.error(
        { err: error, waiting: this.#waiting.length },
        'Events could not be stored yet.',
      );
      this.#cancel ??= this.#parts.clock.after(outageMs, () => void this.flush());
    });
  };

  readonly #writeAll = async (): Promise<void> => {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, rowsOfOneWrite);
      await this.#store(batch, this.#journal.id);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#waitingText -= batch.reduce((sum, { json }) => sum + json.length, 0);
      this.#journal.settle(this.#waiting);
    }
  };

  async #store(batch: readonly Waiting[], journalId: string): Promise<void> {
    const { canPublish, database } = this.#parts;
    const may = await canPublish(batch.map(({ subject }) => subject));
    const published = batch.filter((_, index) => may[index] === true);
    const rows: StoredEvent[] = [];
    for (const { pluginId, matches } of this.#filters) {
      const isWithin = this.#parts.canReceive(pluginId);
      for (const { id, type, data, json } of published)
        if (matches(type) && (isWithin === null || (await isWithin({ type, data }))))
          rows.push({ pluginId, eventId: id, envelope: json });
    }
    const pluginIds = [...new Set(rows.map(({ pluginId }) => pluginId))];
    const dropped = await database.write(async (trx) => {
      await storeEvents(trx, database.insertRows, rows);
      await saveUpTo(trx, journalId, batch.at(-1)?.no ?? 0);
      const gone: (readonly [string, number])[] = [];
      for (const one of pluginIds.filter((id) => this.#isDueForCount(id, rows.length)))
        gone.push([one, await dropOldest(trx, one, this.#capacity)]);
      return gone;
    });
    for (const [pluginId, count] of dropped) if (count > 0) this.#parts.onLost(pluginId, count);
    if (pluginIds.length > 0) this.#parts.onStored(pluginIds);
  }

  #isDueForCount(pluginId: string, more: number): boolean {
    const since = (this.#sinceCounted.get(pluginId) ?? countedEvery) + more;
    this.#sinceCounted.set(pluginId, since >= countedEvery ? 0 : since);
    return since >= countedEvery;
  }

  /** Recovers the journal of the last run of the server. */
  readonly recover = async (): Promise<void> => {
    const { file, database } = this.#parts;
    const left = readJournal(file);
    if (left === null) {
      removeJournal(file);
      return;
    }
    const upTo = await readUpTo(database.read, left.id);
    const lines = left.lines.filter(({ no }) => no > upTo).flatMap((line) => withType(line) ?? []);
    for (let from = 0; from < lines.length; from += rowsOfOneWrite)
      await this.#store(lines.slice(from, from + rowsOfOneWrite), left.id);
    removeJournal(file);
    await database.write((trx) => forgetJournal(trx, left.id));
  };

  readonly follow = (followers: readonly Follower[]): void => {
    this.#filters = followers.map(({ pluginId, patterns }) => ({
      pluginId,
      matches: oneOf(patterns),
    }));
    this.#audiences = new Map();
    if (this.#filters.length > 0 && this.#undos.length === 0)
      this.#undos = everyEvent.map((pattern) => this.#parts.events.listen(pattern, this.#record));
    if (this.#filters.length > 0) return;
    for (const undo of this.#undos) undo();
    this.#undos = [];
  };

  /** Writes the remaining events and stops listening. */
  readonly close = async (): Promise<void> => {
    for (const undo of this.#undos) undo();
    this.#undos = [];
    await this.flush();
    this.#cancel?.();
    if (this.#waiting.length === 0 && this.#journal.isUsed())
      await this.#parts.database
        .write((trx) => forgetJournal(trx, this.#journal.id))
        .catch(() => undefined);
    this.#journal.close();
  };
}

/** Creates a recorder without followers. */
export const createRecorder = (parts: RecorderParts): Recorder => new Recorder(parts);

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
