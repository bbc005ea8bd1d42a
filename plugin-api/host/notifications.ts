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
