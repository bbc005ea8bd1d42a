/**
 * Items that an indexer could not be asked about: because its source was away or had to be spared, or
 * because an item that was just found does not wait for the network. They are kept in the database and
 * handed out again, at growing intervals and not for ever; meanwhile an item keeps what it has.
 */
import type { Database, Log } from '../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import {
  deleteLater,
  nextDue,
  readDue,
  readLater,
  saveLater,
  type LaterRow,
} from './later-store.ts';

/** How an ingest left an item. `soon`: it is merely not its turn yet; `away`: its source is. */
export interface AskedItem {
  readonly itemId: string;
  readonly owed: 'soon' | 'away' | null;
}

/** Has what could not be asked asked again. */
export interface LaterQuestions {
  /** Those that are owed before the items are stored, those that are not afterwards. */
  readonly note: (libraryId: string, items: readonly AskedItem[]) => Promise<void>;
  /** Rows were put down by somebody else. */
  readonly wake: () => void;
  /** Looks for what is due, and from then on whenever something is. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

/** What it is made of. */
export interface LaterQuestionsParts {
  readonly database: Database;
  /** Has items of a library looked into again; null when there is no such library any more. */
  readonly refresh: (
    libraryId: string,
    itemIds: readonly string[],
  ) => Promise<{ readonly id: string } | null>;
  /** Whether such a job has ended, in whatever way. */
  readonly isOver: (jobId: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

const minute = 60_000;
const hour = 60 * minute;

/** After each try in vain; after the last one only a refresh asks again. */
export const retryDelaysMs = [
  10_000,
  minute,
  10 * minute,
  hour,
  6 * hour,
  24 * hour,
  24 * hour,
  24 * hour,
] as const;

/** So that what was just found is stored before it is asked about. */
const soonMs = 2000;
/** What a try weighs, in tenths. */
const weights = { soon: 1, away: 10 } as const;
const itemsAtOnce = 500;
/** So that a job's items are not handed out again while it works, or waits to. */
const handedOutMs = hour;
const shortestSleepMs = 1000;
/** Longest sleep: a clock that was set does not stop it. */
const longestSleepMs = 10 * minute;

/** Creates it; nothing is looked for yet. */
export function createLaterQuestions(parts: LaterQuestionsParts): LaterQuestions {
  const { database, clock, log } = parts;
  let alarm: Undo = () => undefined;
  let round: Promise<void> = Promise.resolve();
  let isRunning = false;
  /** The job that works on what was handed out. */
  let jobId: string | null = null;
  /** Whether the table may have rows: as long as it has none, an ingest pays nothing. */
  let mayHaveRows = true;

  /** In the background, one after the other. */
  function look(): void {
    alarm();
    round = round.then(async () => {
      if (!isRunning) return;
      try {
        await handOut();
        await sleep();
      } catch (error) {
        log.warn({ err: error }, 'What could not be asked was not taken up again');
        alarm = clock.after(minute, look);
      }
    });
  }

  /** One job at a time: those that wait for the network must not take the workers from the others. */
  async function handOut(): Promise<void> {
    if (jobId !== null && !(await parts.isOver(jobId))) return;
    jobId = null;
    const now = clock.now();
    const [first, ...others] = await readDue(database.read, now, itemsAtOnce);
    if (first === undefined) return;
    const libraryId = first.library_id;
    const rows = [first, ...others.filter((row) => row.library_id === libraryId)];
    const itemIds = rows.map((row) => row.item_id);
    await save(rows.map((row) => ({ ...row, next_at: now + handedOutMs })));
    const job = await parts.refresh(libraryId, itemIds);
    if (job) jobId = job.id;
    else await database.write((trx) => deleteLater(trx, itemIds));
  }

  async function sleep(): Promise<void> {
    const next = await nextDue(database.read);
    mayHaveRows = next !== undefined;
    alarm();
    if (next === undefined || !isRunning) return;
    const delay = Math.max(shortestSleepMs, Math.min(next - clock.now(), longestSleepMs));
    alarm = clock.after(delay, look);
  }

  const save = (rows: readonly LaterRow[]): Promise<void> =>
    database.write((trx) => saveLater(database.insertRows, trx, rows));

  return {
    note: async (libraryId, items) => {
      const owing = items.filter(({ owed }) => owed !== null);
      if (owing.length === 0 && !mayHaveRows) return;
      mayHaveRows = true;
      const ids = items.map(({ itemId }) => itemId);
      const known = new Map((await readLater(database.read, ids)).map((row) => [row.item_id, row]));
      const rows = owing.flatMap(({ itemId, owed }) => {
        const row = rowAfter(
          known.get(itemId),
          { itemId, libraryId, owed: owed ?? 'away' },
          clock.now(),
        );
        return row ? [row] : [];
      });
      const kept = new Set(rows.map((row) => row.item_id));
      const gone = [...known.keys()].filter((id) => !kept.has(id));
      if (rows.length > 0) await save(rows);
      if (gone.length > 0) await database.write((trx) => deleteLater(trx, gone));
      if (rows.length > 0) look();
    },
    wake: () => {
      mayHaveRows = true;
      if (isRunning) look();
    },
    start: () => {
      isRunning = true;
      look();
    },
    stop: async () => {
      isRunning = false;
      alarm();
      await round;
    },
  };
}

/** The row of an item that is asked about again; undefined when it was tried often enough. */
function rowAfter(
  before: LaterRow | undefined,
  item: { readonly itemId: string; readonly libraryId: string; readonly owed: 'soon' | 'away' },
  now: number,
): LaterRow | undefined {
  const attempts =
    before === undefined && item.owed === 'soon' ? 0 : (before?.attempts ?? 0) + weights[item.owed];
  const delay = attempts === 0 ? soonMs : retryDelaysMs[Math.max(0, Math.ceil(attempts / 10) - 1)];
  if (delay === undefined) return undefined;
  return { item_id: item.itemId, library_id: item.libraryId, attempts, next_at: now + delay };
}
