/**
 * Events that plugins must not miss: stored when they happen, kept until the plugin releases them.
 */
import path from 'node:path';
import {
  hostService,
  KernelError,
  type CallPlugin,
  type HostCaller,
  type HostInput,
  type Log,
} from '../../../kernel/index.ts';
import { parsePattern, type EventBus } from '../../../kernel/call/events/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { EventLogService } from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import * as store from './event-log-store.ts';
import { createRecorder, type CanReceive, type CanPublish } from './recorder.ts';
import { createConsumerNotifier } from './consumer-notifier.ts';

/** The events that are kept for plugins. */
export type EventLog = ReturnType<typeof createEventLog>;

export interface EventLogParts {
  readonly database: Database;
  readonly events: Pick<EventBus, 'listen'>;
  readonly call: CallPlugin;
  readonly isRunning: (pluginId: string) => boolean;
  /** Installed plugins; events are not kept for others. */
  readonly isKnown: (pluginId: string) => boolean;
  readonly canPublish: CanPublish;
  readonly canReceive: CanReceive;
  /** The folder of this process's journal. */
  readonly folder: string;
  /** Events of a plugin were lost. */
  readonly onLost: (pluginId: string, count: number) => void;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly capacity?: number;
}

type Input<Method extends keyof EventLogService> = HostInput<'eventLog', Method>;

const largestPage = 4_000_000;

/** Creates the log; it does nothing before `open`. */
export function createEventLog(parts: EventLogParts) {
  const { database, call, isRunning, isKnown, clock, log } = parts;
  let followers: readonly store.Follower[] = [];
  const notifier = createConsumerNotifier({
    call,
    isRunning,
    hasEvents: (id) => store.hasEvents(database.read, id),
    clock,
    log,
  });
  const recorder = createRecorder({
    ...parts,
    file: path.join(parts.folder, 'events.journal'),
    onStored: notifier.notify,
  });

  function setFollowers(next: readonly store.Follower[]): void {
    followers = next;
    recorder.follow(followers);
  }

  /** The patterns are in force when it resolves. */
  async function follow({ patterns }: Input<'follow'>, { pluginId }: HostCaller): Promise<null> {
    for (const text of patterns) assertPattern(text);
    const own = { pluginId, patterns: [...new Set(patterns)] };
    const others = () => followers.filter((one) => one.pluginId !== pluginId);
    if (own.patterns.length === 0) {
      setFollowers(others());
      await recorder.flush();
    }
    await database.write((trx) => store.saveFollower(trx, own));
    if (own.patterns.length > 0) setFollowers([...others(), own]);
    return null;
  }

  /**
   * Events that were stored before the plugin's scope was limited are released when they are read.
   */
  async function readable(pluginId: string, limit: number) {
    for (;;) {
      const found = await store.readEvents(database.read, pluginId, limit);
      const isWithin = parts.canReceive(pluginId);
      if (isWithin === null) return found;
      const may = await Promise.all(
        found.map(({ envelope }) =>
          isWithin(JSON.parse(envelope) as { type: string; data: unknown }),
        ),
      );
      const beyond = found.filter((_, index) => !may[index]).map(({ eventId }) => eventId);
      if (beyond.length === 0) return found;
      await database.write((trx) => store.releaseEvents(trx, pluginId, beyond));
    }
  }

  async function read({ limit = 100 }: Input<'read'>, { pluginId }: HostCaller): Promise<string> {
    const found = await readable(pluginId, limit);
    let length = 0;
    const page = found.slice(0, limit).filter(({ envelope }, index) => {
      length += envelope.length;
      return index === 0 || length <= largestPage;
    });
    const texts = page.map(
      ({ eventId, envelope }) => `{"id":${JSON.stringify(eventId)},"event":${envelope}}`,
    );
    return `{"events":[${texts.join(',')}],"more":${page.length < found.length}}`;
  }

  async function release({ ids }: Input<'release'>, { pluginId }: HostCaller): Promise<null> {
    const count = await database.write((trx) => store.releaseEvents(trx, pluginId, ids));
    if (count > 0) notifier.noteProgress(pluginId);
    return null;
  }

  const service = hostService('eventLog', { follow, read, release });

  return {
    /** `host.eventLog`. */
    service,
    /** Recovers the journal of a killed server, and starts recording. */
    open: async (): Promise<void> => {
      const known = await store.readFollowers(database.read);
      setFollowers(known);
      await recorder.recover();
    },
    /** Calls all followers, since each may have waiting events. */
    start: (): void => {
      const gone = followers.map(({ pluginId }) => pluginId).filter((id) => !isKnown(id));
      if (gone.length > 0) void forget(gone);
      notifier.start();
      notifier.notify(followers.map(({ pluginId }) => pluginId));
    },
    /** A plugin has started: calls it if it is a follower. */
    look: (pluginId: string): void => {
      if (followers.some((one) => one.pluginId === pluginId)) notifier.notify([pluginId]);
    },
    /** Another server on the same database stored events, or changed a follower. */
    onRemoteChange: async (): Promise<void> => {
      setFollowers(await store.readFollowers(database.read));
      notifier.notify(followers.map(({ pluginId }) => pluginId));
    },
    /** How many events wait, for all plugins together. */
    waiting: async (): Promise<number> => {
      let sum = 0;
      for (const { pluginId } of followers) sum += await store.countEvents(database.read, pluginId);
      return sum;
    },
    /** Resolves when all events so far are stored. */
    flush: recorder.flush,
    /** Stops calling followers until restarted. Recording continues. */
    stop: notifier.stop,
    /** Writes the remaining events. */
    close: recorder.close,
  };

  async function forget(pluginIds: readonly string[]): Promise<void> {
    setFollowers(followers.filter(({ pluginId }) => !pluginIds.includes(pluginId)));
    await database
      .write((trx) => store.forgetFollowers(trx, pluginIds))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'The events of removed plugins could not be deleted.'),
      );
  }
}

function assertPattern(text: string): void {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new KernelError('invalid_argument', parsed.reason);
}
