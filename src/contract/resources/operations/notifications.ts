import { Type } from '@sinclair/typebox';
import {
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  pageQuery,
  type Shape,
  type Wanted,
} from '../schema-parts.ts';

/** The severity: for information, to be checked soon, a failure. */
export const notificationLevels = ['info', 'warning', 'error'] as const;

const NotificationSchema = Named(
  'Notification',
  Type.Object(
    {
      id: Id,
      level: OneOf(notificationLevels),
      title: Type.String(),
      message: Type.String(),
      source: Type.String({ description: '`jobs`, `plugins`, `license`, `libraries`, `storage`' }),
      readAt: Nullable(Timestamp),
      createdAt: Timestamp,
    },
    { description: 'A notification for admins' },
  ),
);

/** As it is shown, in the language of its reader. */
export type Notification = Shape<typeof NotificationSchema>;

export const NotificationReply = Type.Object({ notification: NotificationSchema });

export const NotificationsReply = Type.Object({
  notifications: List(NotificationSchema),
  nextCursor,
});

/** A page of notifications, newest first. */
export type NotificationsPage = Shape<typeof NotificationsReply>;

export const NotificationsQuery = Type.Object({
  unread: Type.Optional(Flag('Only unread ones')),
  ...pageQuery,
});

/** The filter and the page of a list. */
export type NotificationsQuery = Wanted<typeof NotificationsQuery>;
