import type { HiddenScopes, Kernel } from '../../kernel/index.ts';
import {
  createNotifications,
  createNotifiers,
  createNotificationsService,
  followEvents,
  type Notifications,
} from '../platform/notifications/index.ts';
import { endPluginNotices } from '../plugins/admin/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Builds the notifications for admins, from events and from plugins. */
export function composeNotifications(
  { audit, database, clock, newId, holds, log }: Infrastructure,
  { call, events, plugins, provide }: Kernel,
  {
    libraryName,
    hidden,
  }: {
    readonly libraryName: (id: string) => string | undefined;
    readonly hidden: HiddenScopes;
  },
): Notifications {
  const deliver = createNotifiers({
    call,
    notifiers: () => plugins.providers.allOf('notifier'),
    isHidden: async (data) =>
      hidden.any() && hidden.isIn({ type: 'notification.created', data }, null),
    log,
  });
  const { emit } = events;
  const notifications = createNotifications({ database, emit, deliver, clock, newId, log });
  const { notify } = notifications;
  holds(notifications.close);
  endPluginNotices(notifications, audit);
  provide(createNotificationsService(notify));
  followEvents({
    events,
    notify,
    libraryName,
    runnerOf: plugins.providers.jobRunner,
  });
  return notifications;
}
