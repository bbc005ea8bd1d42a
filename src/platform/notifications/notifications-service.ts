import { hostService, type HostService } from '../../../kernel/index.ts';
import type { Notice } from './notification.ts';
import { quoted } from '../text.ts';
import { sourceOf } from './notifiers.ts';

/** `host.notifications`. The server sets the source of each notification, not the plugin. */
export const createNotificationsService = (
  notify: (notice: Notice) => void,
): HostService<'notifications'> =>
  hostService('notifications', {
    tell: async ({ level, title, message = '' }, { pluginId }) => {
      notify({
        level,
        title: quoted(storable(title)),
        message: quoted(storable(message)),
        source: sourceOf(pluginId),
      });
      return null;
    },
  });

/** A text that every database can store. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
