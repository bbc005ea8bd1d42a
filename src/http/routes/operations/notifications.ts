import type { Notifications } from '../../../platform/notifications/index.ts';
import * as schema from '../../../contract/resources/operations/notifications.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'notifications', access: 'admin' } as const;

/** Notifications for admins. */
export const notificationRoutes = routes<{
  readonly notifications: Pick<Notifications, 'list' | 'markRead' | 'remove'>;
}>(shared, (route, { notifications }) => {
  route('GET /api/notifications', {
    operation: 'listNotifications',
    summary: 'List notifications, newest first',
    query: schema.NotificationsQuery,
    reply: schema.NotificationsReply,
    handler: ({ query, viewer }) => notifications.list(query, viewer.locale),
  });

  route('POST /api/notifications/:id/read', {
    operation: 'markNotificationRead',
    summary: 'Mark it as read; the same notification may then come again',
    reply: schema.NotificationReply,
    handler: async ({ params, viewer }) => ({
      notification: await notifications.markRead(params.id, viewer.locale),
    }),
  });

  route('DELETE /api/notifications/:id', {
    operation: 'deleteNotification',
    summary: 'Dismiss it',
    handler: ({ params }) => notifications.remove(params.id),
  });
});
