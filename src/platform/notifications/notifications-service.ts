import type { HostCaller, HostService } from '../../../kernel/index.ts';
import type { NotificationsService } from '../../../plugin-api/index.ts';
import { type Notice } from './notification.ts';
import { quoted } from '../text.ts';
import { sourceOf } from './notifiers.ts';
import { notificationLevels } from '../../contract/resources/operations/notifications.ts';

type Input = Parameters<NotificationsService['tell']>[0];

/** `host.notifications`. The server sets the source of each notification, not the plugin. */
export function createNotificationsService(notify: (notice: Notice) => void): HostService {
  return {
    name: 'notifications',
    methods: {
      tell: {
        permission: { name: 'notifications' },
        input: {
          type: 'object',
          additionalProperties: false,
          required: ['level', 'title'],
          properties: {
            level: { enum: notificationLevels },
            title: { type: 'string', minLength: 1, maxLength: 300 },
            message: { type: 'string', maxLength: 2000 },
          },
        },
        run: async (input: Input, { pluginId }: HostCaller) => {
          const { level, title, message = '' } = input;
          notify({
            level,
            title: quoted(storable(title)),
            message: quoted(storable(message)),
            source: sourceOf(pluginId),
          });
          return null;
        },
      },
    },
  };
}

/** A text that every database can store. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
