import type { Text } from '../text.ts';
import type { notificationLevels } from '../../contract/resources/operations/notifications.ts';
import { type Notification } from '../../contract/resources/operations/notifications.ts';

/** A message to the admins, as its source sends it. */
export interface Notice {
  readonly level: (typeof notificationLevels)[number];
  /** One sentence, in plain text. */
  readonly title: Text;
  /** Details, and what to do. */
  readonly message?: Text;
  /** The part that sends it: `jobs`, `plugins`, `license`, `storage`. */
  readonly source: string;
  /** What it is about, if the server knows when that is over: it is then marked as read. Not shown. */
  readonly about?: string;
  /** The plugin that the message quotes, when the server sends it. It is not stored. */
  readonly quotes?: string | undefined;
}

/** As it is stored, in each language. */
export interface StoredNotification extends Omit<Notification, 'title' | 'message'> {
  readonly title: Text;
  readonly message: Text;
}
