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

/** The events that are kept for plugins. */
export class EventLog {
  readonly #parts: EventLogParts;
  #followers: readonly store.Follower[] = [];
  readonly #notifier: ReturnType<typeof createConsumerNotifier>;
  readonly #recorder: ReturnType<typeof createRecorder>;
  readonly service: ReturnType<typeof hostService>;
  /** Resolves when all events so far are stored. */
  readonly flush: ReturnType<typeof createRecorder>['flush'];
  /** Stops calling followers until restarted. Recording continues. */
  readonly stop: ReturnType<typeof createConsumerNotifier>['stop'];
  /** Writes the remaining events. */
  readonly close: ReturnType<typeof createRecorder>['close'];

  constructor(parts: EventLogParts) {
    this.#parts = parts;
    const { database, call, isRunning, clock, log } = parts;
    this.#notifier = createConsumerNotifier({
      call,
      isRunning,
      hasEvents: (id) => store.hasEvents(database.read, id),
      clock,
      log,
    });
    this.#recorder = createRecorder({
      ...parts,
      file: path.join(parts.folder, 'events.journal'),
      onStored: this.#notifier.notify,
    });
    this.service = hostService('eventLog', {
      follow: this.#follow,
      read: this.#read,
      release: this.#release,
    });
    this.flush = this.#recorder.flush;
    this.stop = this.#notifier.stop;
    this.close = this.#recorder.close;
  }

  #setFollowers(next: readonly store.Follower[]): void {
    this.#followers = next;
    this.#recorder.follow(this.#followers);
  }

  /** The patterns are in force when it resolves. */
  readonly #follow = async (
    { patterns }: Input<'follow'>,
    { pluginId }: HostCaller,
  ): Promise<null> => {
    for (const text of patterns) assertPattern(text);
    const own = { pluginId, patterns: [...new Set(patterns)] };
    const others = () => this.#followers.filter((one) => one.pluginId !== pluginId);
    if (own.patterns.length === 0) {
      this.#setFollowers(others());
      await this.#recorder.flush();
    }
    await this.#parts.database.write((trx) => store.saveFollower(trx, own));
    if (own.patterns.length > 0) this.#setFollowers([...others(), own]);
    return null;
  };

  /**
   * Events that were stored before the plugin's scope was limited are released when they are read.
   */
  async #readable(pluginId: string, limit: number) {
    const { database } = this.#parts;
    for (;;) {
      const found = await store.readEvents(database.read, pluginId, limit);
      const isWithin = this.#parts.canReceive(pluginId);
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

  readonly #read = async (
    { limit = 100 }: Input<'read'>,
    { pluginId }: HostCaller,
  ): Promise<string> => {
    const found = await this.#readable(pluginId, limit);
    let length = 0;
    const page = found.slice(0, limit).filter(({ envelope }, index) => {
      length += envelope.length;
      return index === 0 || length <= largestPage;
    });
    const texts = page.map(
      ({ eventId, envelope }) => `{"id":${JSON.stringify(eventId)},"event":${envelope}}`,
    );
    return `{"events":[${texts.join(',')}],"more":${page.length < found.length}}`;
  };

  readonly #release = async (
    { ids }: Input<'release'>,
    { pluginId }: HostCaller,
  ): Promise<null> => {
    const count = await this.#parts.database.write((trx) =>
      store.releaseEvents(trx, pluginId, ids),
    );
    if (count > 0) this.#notifier.noteProgress(pluginId);
    return null;
  };

  async #forget(pluginIds: readonly string[]): Promise<void> {
    this.#setFollowers(this.#followers.filter(({ pluginId }) => !pluginIds.includes(pluginId)));
    await this.#parts.database
      .write((trx) => store.forgetFollowers(trx, pluginIds))
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'The events of removed plugins could not be deleted.'),
      );
  }

  /** Recovers the journal of a killed server, and starts recording. */
  readonly open = async (): Promise<void> => {
    const known = await store.readFollowers(this.#parts.database.read);
    this.#setFollowers(known);
    await this.#recorder.recover();
  };

  /** Calls all followers, since each may have waiting events. */
  readonly start = (): void => {
    const gone = this.#followers
      .map(({ pluginId }) => pluginId)
      .filter((id) => !this.#parts.isKnown(id));
    if (gone.length > 0) void this.#forget(gone);
    this.#notifier.start();
    this.#notifier.notify(this.#followers.map(({ pluginId }) => pluginId));
  };

  /** A plugin has started: calls it if it is a follower. */
  readonly look = (pluginId: string): void => {
    if (this.#followers.some((one) => one.pluginId === pluginId)) this.#notifier.notify([pluginId]);
  };

  /** Another server on the same database stored events, or changed a follower. */
  readonly onRemoteChange = async (): Promise<void> => {
    this.#setFollowers(await store.readFollowers(this.#parts.database.read));
    this.#notifier.notify(this.#followers.map(({ pluginId }) => pluginId));
  };

  /** How many events wait, for all plugins together. */
  readonly waiting = async (): Promise<number> => {
    let sum = 0;
    for (const { pluginId } of this.#followers)
      sum += await store.countEvents(this.#parts.database.read, pluginId);
    return sum;
  };
}

function assertPattern(text: string): void {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new KernelError('invalid_argument', parsed.reason);
}
