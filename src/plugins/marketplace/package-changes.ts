import type { Alongside, PackageChange } from '../../../kernel/run/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import { quoted, type Text, say } from '../../platform/text.ts';
import { pluginNotice, type PluginNoticeKind } from '../admin/index.ts';
import { putTakenBack } from './rolled-back-store.ts';

const titles: Readonly<Record<PackageChange['what'], (change: PackageChange) => Text>> = {
  'rolled-back': ({ pluginId, version }) =>
    say('marketplace.versionRolledBack', { version, pluginId }),
  revoked: ({ pluginId }) => say('marketplace.pluginRevokedStopped', { pluginId }),
  'allowed-again': ({ pluginId }) => say('marketplace.pluginNoLongerRevoked', { pluginId }),
};

const kinds: Readonly<Record<PackageChange['what'], PluginNoticeKind>> = {
  'rolled-back': 'rolled_back',
  revoked: 'revoked',
  'allowed-again': 'allowed_again',
};

/**
 * Records in the audit log, and notifies admins of, changes that the server made to a plugin by
 * itself.
 */
export const createPackageChangeReporter =
  (parts: { readonly audit: RecordAudit; readonly notify: (notice: Notice) => void }) =>
  (change: PackageChange): Alongside =>
  async (trx) => {
    const { pluginId, what, version, instead, reason } = change;
    await parts.audit(trx, {
      actor: 'server',
      action: `plugin.${what.replaceAll('-', '_')}`,
      change: 'event',
      target: { type: 'plugin', id: pluginId },
      details: { version, instead, reason },
    });
    // A failed first version is removed completely, and the next installation names its version.
    if (what === 'rolled-back' && instead !== null)
      await putTakenBack(trx, { pluginId, version, reason });
    const level = what === 'allowed-again' ? 'info' : 'error';
    const notice = { level, title: titles[what](change), message: quoted(reason) } as const;
    parts.notify(pluginNotice(kinds[what], pluginId, { ...notice, quotes: pluginId }));
  };
