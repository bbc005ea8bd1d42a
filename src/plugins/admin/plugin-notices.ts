/** Notifications to admins about plugins. */
import type { Alongside, KeptPowers, OnLostProvider } from '../../../kernel/plugins/index.ts';
import { sentencesOf } from '../../../kernel/plugins/powers/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Notice } from '../../platform/notifications/index.ts';

type Notify = (notice: Notice) => void;

/**
 * Records, and notifies admins of, permissions that a plugin had before there were grants, and
 * keeps. It happens once, when the grant is completed.
 */
export const createKeptPermissionsReporter =
  (parts: { readonly audit: RecordAudit; readonly notify: Notify }) =>
  ({ pluginId, powers }: KeptPowers): Alongside =>
  async (trx) => {
    await parts.audit(trx, {
      actor: 'server',
      action: 'plugin.powers_kept',
      target: { type: 'plugin', id: pluginId },
      details: {
        serves: powers.serves ?? [],
        hears: powers.hears ?? [],
        hooks: powers.hooks ?? [],
      },
    });
    const sentences = sentencesOf(powers).map(({ sentence }) => sentence);
    parts.notify({
      level: 'warning',
      title: `The plugin ${pluginId} keeps permissions that no admin has granted.`,
      message: `${sentences.join(' ')} It had these permissions before, so it keeps them. Review them on its page under Manage, Plugins, and take away those that it should not have.`,
      source: 'plugins',
    });
  };

const reasons: Readonly<Record<Parameters<OnLostProvider>[0]['why'], string>> = {
  disabled: 'It was disabled.',
  failed: 'It has crashed too often.',
  removed: 'It was removed.',
  revoked: 'Its publisher revoked it.',
  'not granted': 'An admin removed the permission.',
};

/** Notifies admins of a plugin that is no longer the provider of a capability. */
export const reportLostProvider =
  (notify: Notify): OnLostProvider =>
  ({ pluginId, keys, why, instead }) => {
    const now =
      instead === null ? 'No plugin provides it now.' : `The plugin ${instead} provides it now.`;
    notify({
      level: 'warning',
      title: `The plugin ${pluginId} no longer provides ${keys.join(', ')}.`,
      message: `${reasons[why]} ${now} To choose another one: vitrine plugin providers.`,
      source: 'plugins',
    });
  };
