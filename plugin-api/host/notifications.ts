/**
 * `host.notifications`: tells the admins something that they should know and may not be there to see.
 * The same title is told once until somebody has read it. Permission: `notifications`.
 *
 * @example
 * await host.notifications.tell({ level: 'warning', title: 'The film index refuses the API key.' });
 */
export interface NotificationsService {
  readonly tell: (input: {
    /** For the eye, a thing to look at soon, a thing that does not work. */
    readonly level: 'info' | 'warning' | 'error';
    /** One sentence in plain text, 300 characters at most. */
    readonly title: string;
    /** What else there is to know, and what to do: 2000 characters at most. */
    readonly message?: string;
  }) => Promise<null>;
}
