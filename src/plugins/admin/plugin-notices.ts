/** Notifications to admins about plugins. */
import type { KernelParts } from '../../../kernel/index.ts';
import type { OnLostProvider } from '../../../kernel/run/index.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import { joinTexts, say, type Text } from '../../platform/text.ts';
import { pluginNotice } from './plugin-notice.ts';

type Notify = (notice: Notice) => void;
type SuspendedPlugin = Parameters<NonNullable<KernelParts['onSuspended']>>[0];

const suspensionCauses: Readonly<Record<SuspendedPlugin['end'], (handler: string) => Text>> = {
  'timed-out': (handler) => say('plugins.gaveNoAnswerTimeThree', { handler }),
  failed: (handler) => say('plugins.failedFiftyTimesRow', { handler }),
};

/** Notifies admins of a plugin of which a handler is not called for a while. */
export const reportSuspended =
  (notify: Notify) =>
  ({ pluginId, name, handler, end }: SuspendedPlugin): void =>
    notify(
      pluginNotice('handler_suspended', pluginId, {
        level: 'warning',
        title: say('plugins.partPluginSuspended', { name }),
        message: joinTexts([
          suspensionCauses[end](handler),
          say('plugins.serverDoesNotCallMinute'),
        ]),
        quotes: pluginId,
      }),
    );

const reasons: Readonly<Record<Parameters<OnLostProvider>[0]['why'], Text>> = {
  disabled: say('plugins.disabled'),
  failed: say('plugins.crashedTooOften'),
  removed: say('plugins.removed'),
  revoked: say('plugins.publisherRevoked'),
  'not granted': say('plugins.doesNotPermission'),
};

const chooseAnother: Text = say('plugins.chooseAnotherOneVitrinePlugin');

/** Notifies admins of a plugin that is no longer the provider of a capability. */
export const reportLostProvider =
  (notify: Notify): OnLostProvider =>
  ({ pluginId, keys, why, instead }) => {
    const now: Text =
      instead === null
        ? say('plugins.noPluginProvidesNow')
        : say('plugins.pluginProvidesNow', { instead });
    const notice: Omit<Notice, 'source' | 'about'> = {
      level: 'warning',
      title: say('plugins.pluginNoLongerProvides', { pluginId, keys: keys.join(', ') }),
      message: joinTexts([reasons[why], now, chooseAnother]),
    };
    const kind = why === 'removed' ? 'provider_removed' : 'provider_lost';
    notify(pluginNotice(kind, pluginId, notice));
  };
