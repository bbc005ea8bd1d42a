/** Notifications to admins about plugins. */
import type { KernelParts } from '../../../kernel/index.ts';
import type { Alongside, KeptPowers, OnLostProvider } from '../../../kernel/plugins/index.ts';
import { sentencesOf } from '../../../kernel/plugins/powers/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import { joinTexts, type Text } from '../../platform/text.ts';
import { pluginNotice } from './plugin-notice.ts';

type Notify = (notice: Notice) => void;
type SuspendedPlugin = Parameters<NonNullable<KernelParts['onSuspended']>>[0];

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
      change: 'event',
      target: { type: 'plugin', id: pluginId },
      details: {
        serves: powers.serves ?? [],
        hears: powers.hears ?? [],
        hooks: powers.hooks ?? [],
      },
    });
    const sentencesIn = (locale: string): string =>
      sentencesOf(powers, { locale })
        .map(({ sentence }) => sentence)
        .join(' ');
    const notice: Omit<Notice, 'source' | 'about'> = {
      level: 'warning',
      title: {
        english: `The plugin ${pluginId} keeps permissions that no admin has granted.`,
        german: `Das Plugin ${pluginId} behält Rechte, die kein Verwalter erteilt hat.`,
      },
      message: joinTexts([
        { english: sentencesIn('en'), german: sentencesIn('de') },
        {
          english:
            'It had these permissions before, so it keeps them. Review them on its page under Manage, Plugins, and take away those that it should not have.',
          german:
            'Es hatte diese Rechte schon vorher, darum behält es sie. Prüfen Sie sie auf seiner Seite unter Verwalten, Plugins, und nehmen Sie ihm die, die es nicht haben soll.',
        },
      ]),
    };
    parts.notify(pluginNotice('powers_kept', pluginId, notice));
  };

const suspensionCauses: Readonly<Record<SuspendedPlugin['end'], (handler: string) => Text>> = {
  'timed-out': (handler) => ({
    english: `${handler} gave no answer in time, three times in a row.`,
    german: `${handler} hat dreimal nacheinander nicht rechtzeitig geantwortet.`,
  }),
  failed: (handler) => ({
    english: `${handler} failed fifty times in a row.`,
    german: `${handler} ist fünfzigmal nacheinander gescheitert.`,
  }),
};

/** Notifies admins of a plugin of which a handler is not called for a while. */
export const reportSuspended =
  (notify: Notify) =>
  ({ pluginId, name, handler, end }: SuspendedPlugin): void =>
    notify(
      pluginNotice('handler_suspended', pluginId, {
        level: 'warning',
        title: {
          english: `A part of the plugin ${name} is suspended.`,
          german: `Ein Teil des Plugins ${name} ist ausgesetzt.`,
        },
        message: joinTexts([
          suspensionCauses[end](handler),
          {
            english:
              'The server does not call it for a minute, and for longer while that goes on; the rest of the plugin works. Its page under Manage, Plugins says more.',
            german:
              'Der Server ruft ihn eine Minute lang nicht auf, und länger, solange das so bleibt; der Rest des Plugins arbeitet. Seine Seite unter Verwalten, Plugins sagt mehr.',
          },
        ]),
        quotes: pluginId,
      }),
    );

const reasons: Readonly<Record<Parameters<OnLostProvider>[0]['why'], Text>> = {
  disabled: { english: 'It was disabled.', german: 'Es wurde ausgeschaltet.' },
  failed: { english: 'It has crashed too often.', german: 'Es ist zu oft abgestürzt.' },
  removed: { english: 'It was removed.', german: 'Es wurde entfernt.' },
  revoked: {
    english: 'Its publisher revoked it.',
    german: 'Sein Herausgeber hat es widerrufen.',
  },
  'not granted': {
    english: 'It does not have the permission.',
    german: 'Es hat das Recht nicht.',
  },
};

const chooseAnother: Text = {
  english: 'To choose another one: vitrine plugin providers.',
  german: 'Ein anderes wählt man mit: vitrine plugin providers.',
};

/** Notifies admins of a plugin that is no longer the provider of a capability. */
export const reportLostProvider =
  (notify: Notify): OnLostProvider =>
  ({ pluginId, keys, why, instead }) => {
    const now: Text =
      instead === null
        ? {
            english: 'No plugin provides it now.',
            german: 'Kein Plugin übernimmt das jetzt.',
          }
        : {
            english: `The plugin ${instead} provides it now.`,
            german: `Das Plugin ${instead} übernimmt das jetzt.`,
          };
    const notice: Omit<Notice, 'source' | 'about'> = {
      level: 'warning',
      title: {
        english: `The plugin ${pluginId} no longer provides ${keys.join(', ')}.`,
        german: `Das Plugin ${pluginId} übernimmt nicht mehr ${keys.join(', ')}.`,
      },
      message: joinTexts([reasons[why], now, chooseAnother]),
    };
    const kind = why === 'removed' ? 'provider_removed' : 'provider_lost';
    notify(pluginNotice(kind, pluginId, notice));
  };
