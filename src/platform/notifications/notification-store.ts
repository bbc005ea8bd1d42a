import type { Knex } from 'knex';
import type { Text } from '../text.ts';
import type { StoredNotification } from './notification.ts';

interface NotificationRow {
  readonly id: string;
  readonly level: StoredNotification['level'];
  readonly title: string;
  readonly title_german: string | null;
  readonly message: string;
  readonly message_german: string | null;
  readonly source: string;
  readonly read_at: string | null;
  readonly created_at: string;
  readonly about: string | null;
}

const notifications = (db: Knex) => db<NotificationRow>('notifications');

const toNotification = ({
  title,
  title_german,
  message,
  message_german,
  read_at,
  created_at,
  about: _about,
  ...rest
}: NotificationRow): StoredNotification => ({
  ...rest,
  title: { english: title, german: title_german ?? title },
  message: { english: message, german: message_german ?? message },
  readAt: read_at,
  createdAt: created_at,
});

/** A translation is stored only where it differs. */
const textColumns = ({ title, message }: Pick<StoredNotification, 'title' | 'message'>) => ({
  title: title.english,
  title_german: translationOf(title),
  message: message.english,
  message_german: translationOf(message),
});

const translationOf = ({ english, german }: Text): string | null =>
  german === english ? null : german;

export async function insertNotification(
  trx: Knex,
  one: StoredNotification,
  about: string | null = null,
): Promise<void> {
  const { readAt, createdAt, title, message, ...rest } = one;
  const texts = textColumns({ title, message });
  await notifications(trx).insert({
    ...rest,
    ...texts,
    about,
    read_at: readAt,
    created_at: createdAt,
  });
}

/** Whether the same notification, or one about the same thing, exists and is unread. */
export async function isUnread(
  db: Knex,
  { source, title }: Pick<StoredNotification, 'source' | 'title'>,
  about: string | undefined,
): Promise<boolean> {
  const same = about === undefined ? { source, title: title.english } : { about };
  return (await notifications(db).where(same).whereNull('read_at').first('id')) !== undefined;
}

/** Returns whether there was one about the thing. */
export const changeUnread = async (
  trx: Knex,
  about: string,
  text: Pick<StoredNotification, 'title' | 'message'>,
): Promise<boolean> =>
  (await notifications(trx).where({ about }).whereNull('read_at').update(textColumns(text))) > 0;

/** Whether one about the thing is unread. */
export const isAboutUnread = async (db: Knex, about: string): Promise<boolean> =>
  (await notifications(db).where({ about }).whereNull('read_at').first('id')) !== undefined;

export async function markReadAbout(trx: Knex, about: string, at: string): Promise<void> {
  await notifications(trx).where({ about }).whereNull('read_at').update({ read_at: at });
}

/** Newest first. Ids are ordered by time. */
export async function readNotifications(
  db: Knex,
  query: {
    readonly olderThan: string | null;
    readonly isUnread: boolean;
    readonly limit: number;
  },
): Promise<readonly StoredNotification[]> {
  const found = notifications(db).orderBy('id', 'desc').limit(query.limit).select('*');
  if (query.olderThan !== null) void found.where('id', '<', query.olderThan);
  if (query.isUnread) void found.whereNull('read_at');
  return (await found).map(toNotification);
}

export async function findNotification(
  db: Knex,
  id: string,
): Promise<StoredNotification | undefined> {
  const row = await notifications(db).where({ id }).first();
  return row && toNotification(row);
}

export async function markRead(trx: Knex, id: string, at: string): Promise<void> {
  await notifications(trx).where({ id }).whereNull('read_at').update({ read_at: at });
}

/** Returns whether it existed. */
export const deleteNotification = async (trx: Knex, id: string): Promise<boolean> =>
  (await notifications(trx).where({ id }).delete()) > 0;

/** Removes those that were read before, and all but the newest so many. */
export async function tidyNotifications(
  trx: Knex,
  { readBefore, kept }: { readonly readBefore: string; readonly kept: number },
): Promise<void> {
  await notifications(trx).where('read_at', '<', readBefore).delete();
  const last = await notifications(trx).orderBy('id', 'desc').offset(kept).first('id');
  if (last) await notifications(trx).where('id', '<=', last.id).delete();
}
