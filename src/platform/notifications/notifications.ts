/**
 * Notifications for admins. The same notification is stored once until it is read: a job that fails
 * every hour causes one, not a hundred.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import type { NewId } from '../uuid-v7.ts';
import { mapText, quoted, textIn } from '../text.ts';
import type { Notice, StoredNotification } from './notification.ts';
import * as store from './notification-store.ts';
import type {
  Notification,
  NotificationsPage,
  NotificationsQuery,
} from '../../contract/resources/operations/notifications.ts';

export interface NotificationsParts {
  readonly database: Database;
  readonly emit: (
    type: 'notification.created',
    data: Pick<Notification, 'id' | 'level' | 'title' | 'source'>,
  ) => void;
  /** Passes new ones to plugins; it is not awaited. */
  readonly deliver: (notification: Notification, quotes?: string) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
}

const keptAfterReadingMs = 30 * 24 * 3_600_000;
const mostKept = 1000;
const longestTitle = 300;
const longestMessage = 2000;

/** The notifications of this server; all admins share them. */
export class Notifications {
  readonly #parts: NotificationsParts;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: NotificationsParts) {
    this.#parts = parts;
  }

  readonly #nowAt = (): string => toTimestamp(this.#parts.clock.now());

  /** Stores a notification, and rejects when it cannot. `isRead`: what it tells is over already. */
  readonly keep = async (
    notice: Notice,
    { isRead }: { readonly isRead: boolean } = { isRead: false },
  ): Promise<void> => {
    const { newId, database, emit, deliver, log } = this.#parts;
    const now = this.#nowAt();
    const notification = {
      ...notificationOf(notice, newId(), now),
      readAt: isRead ? now : null,
    };
    const { level } = notification;
    const isNew = await database.write(async (trx) => {
      if (await store.isUnread(trx, notification, notice.about)) return false;
      await store.insertNotification(trx, notification, notice.about);
      return true;
    });
    if (!isNew) return;
    const { id, source } = notification;
    const shown = shownIn(notification, null);
    emit('notification.created', { id, level, title: shown.title, source });
    void deliver(shown, notice.quotes).catch((error: unknown) =>
      log.warn(
        { err: error, title: shown.title },
        'A notification could not be delivered to plugins.',
      ),
    );
  };

  /**
   * Changes the unread notification about the same thing, without telling anyone again. Without
   * one it stores this, if it is news.
   */
  readonly renew = async (
    notice: Notice & { readonly about: string },
    { isNews }: { readonly isNews: boolean },
  ): Promise<void> => {
    const { title, message } = notificationOf(notice, '', '');
    const isChanged = await this.#parts.database.write((trx) =>
      store.changeUnread(trx, notice.about, { title, message }),
    );
    if (!isChanged && isNews) await this.keep(notice);
  };

  /** Serialized, so that two concurrent equal ones are stored once. */
  #later(work: () => Promise<void>, title: string): void {
    this.#writing = this.#writing
      .then(work)
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error, title }, 'A notification could not be stored.'),
      );
  }

  /** Sends a notification without waiting. It never throws. */
  readonly notify = (notice: Notice): void =>
    this.#later(() => this.keep(notice), notice.title.english);

  /** In the language of a reader; English without one. */
  readonly list = async (
    { unread = false, limit = 50, cursor }: NotificationsQuery,
    locale?: string | null,
  ): Promise<NotificationsPage> => {
    const olderThan = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const query = { olderThan, isUnread: unread, limit: limit + 1 };
    const found = await store.readNotifications(this.#parts.database.read, query);
    const notifications = found.slice(0, limit).map((one) => shownIn(one, locale));
    const last = found.length > limit ? notifications.at(-1) : undefined;
    return { notifications, nextCursor: last === undefined ? null : writeCursor([last.id]) };
  };

  readonly markRead = async (id: string, locale?: string | null): Promise<Notification> => {
    const found = await this.#parts.database.write(async (trx) => {
      await store.markRead(trx, id, this.#nowAt());
      return store.findNotification(trx, id);
    });
    return found === undefined ? unknown(id) : shownIn(found, locale);
  };

  /**
   * Marks as read what is about something that is over. Nothing is written where nothing is
   * unread.
   */
  readonly resolve = async (about: string): Promise<void> => {
    if (await store.isAboutUnread(this.#parts.database.read, about))
      await this.#parts.database.write((trx) => store.markReadAbout(trx, about, this.#nowAt()));
  };

  /** The same after the notifications that were sent before, without waiting. It never throws. */
  readonly end = (about: string): void => this.#later(() => this.resolve(about), about);

  readonly remove = async (id: string): Promise<void> => {
    const wasThere = await this.#parts.database.write((trx) => store.deleteNotification(trx, id));
    if (!wasThere) unknown(id);
  };

  /** Removes those that were read long ago, and the oldest above the maximum. */
  readonly tidy = (): Promise<void> =>
    this.#parts.database.write((trx) =>
      store.tidyNotifications(trx, {
        readBefore: toTimestamp(this.#parts.clock.now() - keptAfterReadingMs),
        kept: mostKept,
      }),
    );

  /** Waits for pending writes. */
  readonly close = (): Promise<void> => this.#writing;
}

export const createNotifications = (parts: NotificationsParts): Notifications =>
  new Notifications(parts);

const nothing = quoted('');

const notificationOf = (notice: Notice, id: string, createdAt: string): StoredNotification => ({
  id,
  level: notice.level,
  title: mapText(notice.title, (text) => text.slice(0, longestTitle)),
  message: mapText(notice.message ?? nothing, (text) => text.slice(0, longestMessage)),
  source: notice.source,
  readAt: null,
  createdAt,
});

const shownIn = (
  { title, message, ...rest }: StoredNotification,
  locale: string | null | undefined,
): Notification => ({
  ...rest,
  title: textIn(title, locale),
  message: textIn(message, locale),
});

/** Stores a notification in a database that no server has open. */
export async function notifyIn(
  trx: Transaction,
  notice: Notice,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<void> {
  await store.insertNotification(trx, notificationOf(notice, id, at));
}

function unknown(id: string): never {
  throw new AppError('not_found', { what: `Notification ${id}` });
}
