/** What the server tells the admins of plugins by itself. */
import {
  sentencesOf,
  type Alongside,
  type KeptPowers,
  type OnLostProvider,
} from '../../kernel/index.ts';
import type { RecordAudit } from '../audit/index.ts';
import type { Notice } from '../notifications/index.ts';

type Tell = (notice: Notice) => void;

/**
 * Notes and tells what a plugin could do before anybody was asked about it, and still can. It is told
 * when the grant gets its whole form, so once.
 */
export const createKeptPowersWitness =
  (parts: { readonly audit: RecordAudit; readonly tell: Tell }) =>
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
    parts.tell({
      level: 'warning',
      title: `The plugin ${pluginId} keeps powers that nobody was asked about.`,
      message: `${sentences.join(' ')} It could do that before, so it still can. Look at it with GET /api/plugins/${encodeURIComponent(pluginId)}/permissions and take away what it should not have.`,
      source: 'plugins',
    });
  };

const reasons: Readonly<Record<Parameters<OnLostProvider>[0]['why'], string>> = {
  disabled: 'It was disabled.',
  failed: 'It has crashed too often.',
  removed: 'It was removed.',
  revoked: 'Its publisher revoked it.',
  'not granted': 'An admin took that away from it.',
};

/** Tells of a plugin that answered for a part of the server and does not any more. */
export const tellLostProvider =
  (tell: Tell): OnLostProvider =>
  ({ pluginId, keys, why, instead }) => {
    const now = instead === null ? 'Nobody serves it now.' : `The plugin ${instead} serves it now.`;
    tell({
      level: 'warning',
      title: `The plugin ${pluginId} does not serve ${keys.join(', ')} any more.`,
      message: `${reasons[why]} ${now} To choose another one: vitrine plugin providers.`,
      source: 'plugins',
    });
  };
