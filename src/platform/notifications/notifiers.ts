/**
 * Delivers notifications to plugins. Each running plugin with the grant `notifier` is called once
 * for a notification, all at the same time; a failure of one does not affect the others.
 */
import { KernelError, type CallPlugin, type Log } from '../../../kernel/index.ts';
import type { Notification } from '../../contract/resources/operations/notifications.ts';

export interface NotifiersParts {
  readonly call: CallPlugin;
  /** The running plugins with the grant, in any order. */
  readonly notifiers: () => readonly string[];
  /** Whether it concerns a hidden library, which no plugin may know of; `quotes` = the quoted plugin. */
  readonly isHidden: (data: object) => Promise<boolean>;
  readonly log: Log;
}

type Delivered = Omit<Notification, 'readAt'>;

const timeoutMs = 10_000;
const keptBack =
  'The details are in the notifications of the server. While a library is hidden, texts of plugins are not delivered.';

/** The source of notifications that a plugin sends. */
export const sourceOf = (pluginId: string): string => `plugin ${pluginId}`;

/** Delivers a notification. It never rejects; a failure is in the log of the plugin. */
export function createNotifiers({ call, notifiers, isHidden, log }: NotifiersParts) {
  /** The part that may be delivered; `null` = nothing. A message of the server is kept without the quotation. */
  async function passable(notification: Delivered, quotes: string | undefined) {
    if (!(await isHidden({ ...notification, quotes }))) return notification;
    if (quotes === undefined) return null;
    const bare = { ...notification, message: keptBack };
    return (await isHidden(bare)) ? null : bare;
  }

  return async (
    { readAt: _readAt, ...notification }: Notification,
    quotes?: string,
  ): Promise<void> => {
    // A plugin does not get its own notifications, because it could send one for each delivery in a loop.
    const others = notifiers().filter((id) => sourceOf(id) !== notification.source);
    if (others.length === 0) return;
    const deliverable = await passable(notification, quotes);
    if (deliverable === null) return;
    await Promise.all(
      others.map((pluginId) =>
        call(pluginId, 'notifier.deliver', { notification: deliverable }, { timeoutMs }).catch(
          (error: unknown) => {
            if (!(error instanceof KernelError)) throw error;
            log.debug({ err: error, pluginId }, 'A plugin failed to take a notification.');
          },
        ),
      ),
    );
  };
}
