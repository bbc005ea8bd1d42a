/** How much it matters: for the eye, a thing to look at soon, a thing that does not work. */
export const notificationLevels = ['info', 'warning', 'error'] as const;

/** Something that admins should know, as whoever noticed it tells it. */
export interface Notice {
  readonly level: (typeof notificationLevels)[number];
  /** One sentence, in plain text. */
  readonly title: string;
  /** What else there is to know, and what to do. */
  readonly message?: string;
  /** Who noticed: `jobs`, `plugins`, `license`, `storage`. */
  readonly source: string;
  /** The plugin whose words are in the message, where the server tells it. It is not kept. */
  readonly quotes?: string | undefined;
}

/** As it is kept and shown. */
export interface Notification extends Required<Omit<Notice, 'quotes'>> {
  readonly id: string;
  readonly readAt: string | null;
  readonly createdAt: string;
}
