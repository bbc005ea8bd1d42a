import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createKernel, type Kernel, type KernelParts } from '../../kernel/index.ts';
import { createPackageChangeReporter } from '../plugins/marketplace/index.ts';
import { insteadOfOwn } from '../platform/net/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import { endPluginNotice, reportLostProvider, reportSuspended } from '../plugins/admin/index.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface KernelNeeds extends Required<
  Pick<KernelParts, 'hasSecretScope' | 'judge' | 'onOftenFailing' | 'profileIn'>
> {
  readonly notify: Notifications['notify'];
  readonly end: Notifications['end'];
}

/** Builds the kernel over the server's storage; plugins are not started here. */
export function composeKernel(infrastructure: Infrastructure, needs: KernelNeeds): Kernel {
  const {
    config,
    built,
    storage,
    cluster,
    audit,
    refusals,
    metrics,
    secrets,
    background,
    newId,
    ownAddresses,
    log,
  } = infrastructure;
  return createKernel({
    ...needs,
    storage,
    isShared: cluster !== null,
    ...(cluster && { relay: cluster.relay }),
    nextTurn: background.defer,
    nodePath: process.execPath,
    hostScript: path.join(built.folder, 'plugin-host.mjs'),
    guestRuntime: readFileSync(path.join(built.folder, 'guest-runtime.js'), 'utf8'),
    pluginIsolation: config.pluginIsolation,
    pluginSources: [
      { folder: path.join(built.folder, 'builtin-plugins'), type: 'builtin' },
      { folder: path.join(config.data, 'plugins'), type: 'local' },
    ],
    cacheFolder: path.join(config.data, 'cache/plugins'),
    builtScripts: path.join(built.folder, 'plugin-scripts'),
    packagesFolder: path.join(config.data, 'packages'),
    onPackageChange: createPackageChangeReporter({
      audit: audit.inTransaction,
      notify: needs.notify,
    }),
    secretSeal: secrets,
    serverVersion: built.version,
    observeCalls: ({ pluginId, method, name }, { kind: outcome, durationMs }) =>
      metrics.call({ pluginId, method, outcome, durationMs, ...(name !== undefined && { name }) }),
    hostFault: (host) => (ownAddresses.names(host) ? insteadOfOwn : null),
    onRefusal: refusals.note,
    onOftenFailing: needs.onOftenFailing,
    onSuspended: reportSuspended(needs.notify),
    onNoneSuspended: (id) => endPluginNotice(needs, 'handler_suspended', id),
    onLostProvider: reportLostProvider(needs.notify),
    onSettledProvider: (id) => endPluginNotice(needs, 'provider_lost', id),
    newId,
    log,
  });
}
