/** The severity: for information, to be checked soon, a failure. */
export const notificationLevels = ['info', 'warning', 'error'] as const;

/** A message to the admins, as its source sends it. */
export interface Notice {
  readonly level: (typeof notificationLevels)[number];
  /** One sentence, in plain text. */
  readonly title: string;
  /** Details, and what to do. */
  readonly message?: string;
  /** The part that sends it: `jobs`, `plugins`, `license`, `storage`. */
  readonly source: string;
  /** What it is about, if the server knows when that is over: it is then marked as read. Not shown. */
  readonly about?: string;
  /** The plugin that the message quotes, when the server sends it. It is not stored. */
  readonly quotes?: string | undefined;
}

/** As stored and shown. */
export interface Notification extends Required<Omit<Notice, 'about' | 'quotes'>> {
  readonly id: string;
  readonly readAt: string | null;
  readonly createdAt: string;
}
