/**
 * Back-fill for indexers that were installed, or were granted the network, after items had been
 * found, and for indexers on the network whose answers have a higher version than those kept: they are asked about all existing items. The items are added to their retry queue page by
 * page, and the position is stored in the same transaction; so a stop of the server neither loses
 * nor repeats anything. One small job at a time with low priority works through the queue.
 */
import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { ServedKey } from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Indexers } from '../catalogue/commit/index.ts';
import { createGrantLooks } from './grant-looks.ts';
import type { RetryQueue } from './retry-queue.ts';
import {
  forgetIndexer,
  queueItems,
  readKnownIndexers,
  readLibraryTypes,
  saveKnownIndexer,
  type KnownIndexer,
} from './indexer-backfill-store.ts';

/** Queues existing items for new indexers. */
export type IndexerBackfill = ReturnType<typeof createIndexerBackfill>;

/** What the back-fill needs. */
export interface IndexerBackfillParts {
  readonly database: Database;
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  /** Whether there is such a plugin, running or not. */
  readonly isInstalled: (pluginId: string) => boolean;
  readonly indexers: Pick<Indexers, 'hasStage' | 'isRemote'>;
  readonly answersVersionOf: (pluginId: string) => number;
  readonly retryQueue: Pick<RetryQueue, 'wake'>;
  /** Resolves when every plugin had its chance to start. */
  readonly booted: () => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

const itemsOfPage = 1000;
const timeoutMs = 10_000;

/** Creates it; it does nothing before `start`. */
export function createIndexerBackfill(parts: IndexerBackfillParts) {
  const { database, call, indexers, clock, log } = parts;
  const looks = createGrantLooks({
    ...parts,
    what: 'New indexers',
    welcome: welcomeAll,
    // What waits for it is asked now.
    onStarted: parts.retryQueue.wake,
  });

  async function welcomeAll(): Promise<void> {
    const all = await readKnownIndexers(database.read);
    const gone = [...all.keys()].filter((id) => !parts.isInstalled(id));
    for (const id of gone) await database.write((trx) => forgetIndexer(trx, id));
    const known = new Map([...all].filter(([id]) => !gone.includes(id)));
    const running = parts.providers('indexer').filter((id) => indexers.hasStage(id, 'full'));
    for (const pluginId of running) {
      const before = known.get(pluginId);
      const now = {
        plugin_id: pluginId,
        is_remote: indexers.isRemote(pluginId),
        answers_version: parts.answersVersionOf(pluginId),
      };
      // Indexers of the very first start have seen every item.
      if (all.size === 0) await save({ ...now, after: null });
      else if (before === undefined || isMore(now, before)) await welcome({ ...now, after: 0 });
      else if (before.after !== null) await welcome(before);
      else if (!isSame(now, before)) await save({ ...now, after: null });
    }
  }

  async function welcome(newcomer: KnownIndexer): Promise<void> {
    const pluginId = newcomer.plugin_id;
    await save(newcomer);
    const types = await supported(pluginId);
    if (types === null) return;
    log.info({ pluginId, types }, 'A new indexer is asked about existing items');
    let at: KnownIndexer = newcomer;
    while (at.after !== null && looks.isRunning()) {
      const page = { types, limit: itemsOfPage, now: clock.now() };
      const after = await database.write((trx) => queueItems(database, trx, at, page));
      at = { ...at, after };
      parts.retryQueue.wake();
    }
  }

  type Now = Omit<KnownIndexer, 'after'>;

  /** Those without the network run with the hooks when they answer better. */
  const isMore = (now: Now, before: Now): boolean =>
    Boolean(now.is_remote) && (!before.is_remote || now.answers_version > before.answers_version);

  const isSame = (now: Now, before: Now): boolean =>
    now.is_remote === Boolean(before.is_remote) && now.answers_version === before.answers_version;

  /** Null when it does not answer: it is asked again next time. */
  async function supported(pluginId: string): Promise<readonly string[] | null> {
    const types = await readLibraryTypes(database.read);
    const able: string[] = [];
    for (const libraryType of types) {
      try {
        const answer = await call(pluginId, 'indexer.supports', { libraryType }, { timeoutMs });
        if (answer === true) able.push(libraryType);
      } catch (err) {
        log.debug({ pluginId, err }, 'A new indexer did not say what it supports');
        return null;
      }
    }
    return able;
  }

  const save = (row: KnownIndexer): Promise<void> =>
    database.write((trx) => saveKnownIndexer(database, trx, row));

  return {
    /** Looks for new indexers now, and then whenever a plugin has started. */
    start: looks.start,
    /** Asks an indexer of the network about all existing items once more. */
    askAgain: async (pluginId: string): Promise<void> => {
      const known = (await readKnownIndexers(database.read)).get(pluginId);
      // One whose items are being queued goes on.
      if (known === undefined || !known.is_remote || known.after !== null) return;
      await save({ ...known, after: 0 });
      looks.look();
    },
    stop: looks.stop,
  };
}
