/**
 * Cache invalidation between servers. The database notes each change in the transaction that makes
 * it. Before a server uses cached data, it reads the notes since its last check, so a change that
 * was committed before a request is visible to that request. A server that was away for longer than
 * notes are kept invalidates everything.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Queries } from '../../../kernel/store/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { changesAfter, lastChange, lastOfTopic, type SharedChange } from './shared-store.ts';
import type { Topic } from './topic.ts';

/** The changed keys; `null` = any of them. */
export type ChangedKeys = readonly string[] | null;

/** Handles changes; `catchUp` waits for its promise. */
export type ChangeListener = (keys: ChangedKeys) => void | Promise<void>;

/** The changes of other servers. */
export type SharedChanges = Awaited<ReturnType<typeof openSharedChanges>>;

export interface SharedChangesParts {
  readonly read: Queries;
  /** The id of this process, whose own changes are skipped. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const page = 1000;
/** Notes are kept for an hour. */
const longestAwayMs = 50 * 60_000;

/** Starts at the current position. */
export async function openSharedChanges(parts: SharedChangesParts) {
  const { read, origin, clock, log } = parts;
  const listeners = new Map<Topic, Set<ChangeListener>>();
  let seen = await lastChange(read);
  let seenAtMs = clock.now();
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function tell(topic: Topic, keys: ChangedKeys): Promise<void> {
    for (const listener of listeners.get(topic) ?? [])
      try {
        await listener(keys);
      } catch (error) {
        log.error({ err: error, topic }, 'A change of another server was not applied.');
      }
  }

  async function tellAll(): Promise<void> {
    for (const topic of listeners.keys()) await tell(topic, null);
  }

  async function look(): Promise<void> {
    const wasAway = clock.now() - seenAtMs > longestAwayMs;
    if (wasAway) seen = await lastChange(read);
    let rows: readonly SharedChange[];
    do {
      rows = await changesAfter(read, seen, page);
      const others = rows.filter((row) => row.origin !== origin);
      for (const [topic, changes] of Map.groupBy(others, (row) => row.topic))
        await tell(topic, keysOf(changes));
      seen = rows.at(-1)?.no ?? seen;
    } while (rows.length === page);
    if (wasAway) await tellAll();
    seenAtMs = clock.now();
  }

  /**
   * Resolves when all listeners have handled the changes noted before the call. A check in
   * progress may have begun before the caller's change, so another one follows.
   */
  function catchUp(): Promise<void> {
    if (running === null) {
      running = look().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return catchUp();
      });
    return next;
  }

  return {
    listen: (topic: Topic, listener: ChangeListener): Undo => {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => void set.delete(listener);
    },
    catchUp,
    /**
     * A number that changes when another server changes something of the topic; in a transaction, as
     * of its snapshot.
     */
    generation: (by: Queries, topic: Topic): Promise<number> => lastOfTopic(by, topic, origin),
  };
}

function keysOf(changes: readonly SharedChange[]): ChangedKeys {
  const keys = new Set<string>();
  for (const { key } of changes) {
    if (key === null) return null;
    keys.add(key);
  }
  return [...keys];
}
