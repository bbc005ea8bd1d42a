/** Notices about a plugin. Each kind names the acts that end it, so that none stays when it is over. */
import type { Audit } from '../../platform/audit/index.ts';
import type { Notice, Notifications } from '../../platform/notifications/index.ts';

/** The kinds, each with the acts on the plugin that end it, as the audit log names them. */
export const pluginNoticeEnds = {
  rolled_back: ['installed', 'upgraded', 'uninstalled'],
  revoked: ['allowed_again', 'installed', 'upgraded', 'rolled_back', 'uninstalled'],
  allowed_again: ['revoked', 'installed', 'upgraded', 'rolled_back', 'uninstalled'],
  /** It also ends when the plugin provides again, or another one is chosen. */
  provider_lost: ['uninstalled'],
  provider_removed: ['installed', 'provider_chosen'],
  /** It also ends when the last handler answers again, and when the plugin stops or starts. */
  handler_suspended: ['upgraded', 'rolled_back', 'disabled', 'uninstalled'],
  events_missed: ['upgraded', 'rolled_back', 'disabled', 'uninstalled'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The kind of a notice about a plugin. */
export type PluginNoticeKind = keyof typeof pluginNoticeEnds;

const aboutOf = (kind: PluginNoticeKind, pluginId: string): string => `plugin ${kind} ${pluginId}`;

/** A notice of that kind about a plugin. */
export const pluginNotice = (
  kind: PluginNoticeKind,
  pluginId: string,
  notice: Omit<Notice, 'source' | 'about'>,
): Notice => ({ ...notice, source: 'plugins', about: aboutOf(kind, pluginId) });

/** Ends notices of a kind about a plugin. */
export const endPluginNotice = (
  { end }: Pick<Notifications, 'end'>,
  kind: PluginNoticeKind,
  pluginId: string,
): void => end(aboutOf(kind, pluginId));

/** Ends the notices about a plugin with the acts that end them. */
export function endPluginNotices(
  notifications: Pick<Notifications, 'end'>,
  audit: Pick<Audit, 'onRecorded'>,
): void {
  const kinds = Object.keys(pluginNoticeEnds) as PluginNoticeKind[];
  audit.onRecorded(({ action, target }) => {
    if (target?.type !== 'plugin') return;
    const ends = (kind: PluginNoticeKind) =>
      pluginNoticeEnds[kind].some((act) => action === `plugin.${act}`);
    for (const kind of kinds.filter(ends)) endPluginNotice(notifications, kind, target.id);
  });
}
