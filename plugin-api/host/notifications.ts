import type { MethodRecords } from '../server/method-record.ts';

/**
 * `host.notifications`: sends a notification to the admins. A title is not repeated until the earlier
 * one has been read. Permission: `notifications`.
 *
 * @example
 * await host.notifications.tell({ level: 'warning', title: 'The film index refuses the API key.' });
 */
export interface NotificationsService {
  readonly tell: (input: {
    /** For information, needs attention soon, does not work. */
    readonly level: 'info' | 'warning' | 'error';
    /** One sentence in plain text, 300 characters at most. */
    readonly title: string;
    /** Details and what to do: 2000 characters at most. */
    readonly message?: string;
  }) => Promise<null>;
}

/** What the server knows of each method. @internal */
export const notificationsMethods = {
  tell: {
    permission: { name: 'notifications' },
    scope: 'none',
    viewer: 'none',
    needs: {
      level: { enum: ['info', 'warning', 'error'] },
      title: { type: 'string', minLength: 1, maxLength: 300 },
    },
    takes: { message: { type: 'string', maxLength: 2000 } },
    done: { english: 'sent a notification', german: 'eine Mitteilung gesendet' },
  },
} as const satisfies MethodRecords<NotificationsService>;
