/**
 * Plugins that pass notifications on. Each that was granted `notifier` and runs is called once for a
 * notification, all at the same time; what one does with it changes nothing for the others.
 */
import { KernelError, type CallPlugin, type Log } from '../../kernel/index.ts';
import type { Notification } from './notification.ts';

/** What they are called with. */
export interface NotifiersParts {
  readonly call: CallPlugin;
  /** Those that run and were granted it, in any order. */
  readonly notifiers: () => readonly string[];
  /** Whether it tells of a library that is hidden, which no plugin hears of; `quotes` = whose words it has. */
  readonly isHidden: (data: object) => Promise<boolean>;
  readonly log: Log;
}

type Delivered = Omit<Notification, 'readAt'>;

const timeoutMs = 10_000;
const keptBack =
  'The notifications of the server say more. While a library is hidden, words of a plugin are not passed on.';

/** The source of what a plugin tells itself. */
export const sourceOf = (pluginId: string): string => `plugin ${pluginId}`;

/** Delivers a notification. It never rejects; what fails stands in the log of its plugin. */
export function createNotifiers({ call, notifiers, isHidden, log }: NotifiersParts) {
  /** What of it may be told; `null` = nothing. What the server says of a plugin stays without its words. */
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
    // Its own would come back to a plugin that tells of a delivery, and so on without end.
    const others = notifiers().filter((id) => sourceOf(id) !== notification.source);
    if (others.length === 0) return;
    const told = await passable(notification, quotes);
    if (told === null) return;
    await Promise.all(
      others.map((pluginId) =>
        call(pluginId, 'notifier.deliver', { notification: told }, { timeoutMs }).catch(
          (error: unknown) => {
            if (!(error instanceof KernelError)) throw error;
            log.debug({ err: error, pluginId }, 'A plugin did not take a notification.');
          },
        ),
      ),
    );
  };
}
