import type { Kernel } from '../../kernel/index.ts';
import { createAuthority, createLicensing, type Licensing } from '../operations/license/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/**
 * Builds the licensing, which checks again when a plugin that may judge the license has started.
 */
export function composeLicensing(
  { config, database, secrets, server, audit, isLeader, clock, holds, log }: Infrastructure,
  { call, events, plugins }: Kernel,
  notify: Notifications['notify'],
): Licensing {
  const url = config.licenseAuthority;
  const licensing = createLicensing({
    database,
    secrets,
    issuer: config.licenseIssuer,
    authority: url === null ? null : createAuthority({ url, serverId: server.serverId }),
    call,
    provider: plugins.providers.of,
    audit: audit.inTransaction,
    notify,
    mayConfirm: isLeader,
    clock,
    elapsed: () => performance.now(),
    random: Math.random,
    log,
  });
  holds(licensing.close);
  events.listen('plugin.started', licensing.wake);
  return licensing;
}
