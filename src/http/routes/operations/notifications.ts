import type { Notifications } from '../../../platform/notifications/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  NotificationReply,
  NotificationsQuery,
  NotificationsReply,
} from '../../../contract/resources/operations/notifications.ts';

const tags = ['notifications'];
const config = { access: 'admin' } as const;

/** Notifications for admins. */
export const notificationRoutes: Routes<{
  readonly notifications: Pick<Notifications, 'list' | 'markRead' | 'remove'>;
}> = async (app, { notifications }) => {
  app.get(
    '/api/notifications',
    {
      config,
      schema: {
        operationId: 'listNotifications',
        summary: 'List notifications, newest first',
        tags,
        querystring: NotificationsQuery,
        response: { 200: NotificationsReply },
      },
    },
    (request) => notifications.list(request.query, viewerOf(request).locale),
  );

  app.post(
    '/api/notifications/:id/read',
    {
      config,
      schema: {
        operationId: 'markNotificationRead',
        summary: 'Mark it as read; the same notification may then come again',
        tags,
        params: IdParams,
        response: { 200: NotificationReply },
      },
    },
    async (request) => {
      const { locale } = viewerOf(request);
      return { notification: await notifications.markRead(request.params.id, locale) };
    },
  );

  app.delete(
    '/api/notifications/:id',
    {
      config,
      schema: {
        operationId: 'deleteNotification',
        summary: 'Dismiss it',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await notifications.remove(request.params.id);
      return reply.code(204).send();
    },
  );
};
