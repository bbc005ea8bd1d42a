/**
 * What other servers changed of what this one keeps in memory. The database notes each change in the
 * transaction that makes it; whoever is about to use what is kept looks first what was noted since, so a
 * change that was answered anywhere before a request came here holds for that request. Who was away for
 * longer than notes are kept is told that anything may have changed.
 */
import type { Log, Queries } from '../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import { changesAfter, lastChange, lastOfTopic, type SharedChange } from './shared-store.ts';
import type { Topic } from './topic.ts';

/** Which were changed; `null` = any of them may have been. */
export type ChangedKeys = readonly string[] | null;

/** Hears of changes; what asked for the look waits for what it returns. */
export type ChangeListener = (keys: ChangedKeys) => void | Promise<void>;

/** The changes of other servers. */
export interface SharedChanges {
  readonly listen: (topic: Topic, listener: ChangeListener) => Undo;
  /** Resolves when everybody has heard what was noted before the call. */
  readonly catchUp: () => Promise<void>;
  /** Another number whenever another server changed something of the topic; in a transaction, as of then. */
  readonly generation: (read: Queries, topic: Topic) => Promise<number>;
}

/** What they are read with. */
export interface SharedChangesParts {
  readonly read: Queries;
  /** Of this process: its own changes are in its memory already. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const page = 1000;
/** Notes are kept for an hour. */
const longestAwayMs = 50 * 60_000;

/** Begins with what is noted now. */
export async function openSharedChanges(parts: SharedChangesParts): Promise<SharedChanges> {
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
        log.error({ err: error, topic }, 'What another server changed was not taken over.');
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

  /** A look under way may have begun before what its caller wants to see; so there is one more. */
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
    listen: (topic, listener) => {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => void set.delete(listener);
    },
    catchUp,
    generation: (by, topic) => lastOfTopic(by, topic, origin),
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
