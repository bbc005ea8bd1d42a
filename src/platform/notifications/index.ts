export { followEvents } from './follow-events.ts';
export { notificationMigrations } from './notification-migrations.ts';
export { createNotifications, notifyIn } from './notifications.ts';
export { createNotificationsService } from './notifications-service.ts';
export { createNotifiers } from './notifiers.ts';
export { type Notice } from './notification.ts';
export type { Notifications, NotificationsParts } from './notifications.ts';
