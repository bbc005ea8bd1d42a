import type { Kernel } from '../../kernel/index.ts';
import { createManifestReader } from '../../kernel/plugins/manifest/index.ts';
import { createIndexReader } from '../../kernel/plugins/packages/index.ts';
import {
  createMarketplace,
  createSourceMemory,
  createSources,
  type Marketplace,
} from '../plugins/marketplace/index.ts';
import type { SourceFetch } from '../platform/net/index.ts';
import type { Notifications } from '../platform/notifications/index.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** What the marketplace is built from. */
export interface MarketplaceNeeds {
  readonly reach: PluginReach;
  readonly fetch: SourceFetch;
  readonly notify: Notifications['notify'];
}

/** Builds the catalogue of plugins in sources, and their installation. */
export function composeMarketplace(
  { built, database, audit, clock, newId, log }: Infrastructure,
  { plugins }: Kernel,
  { reach, fetch, notify }: MarketplaceNeeds,
): Marketplace {
  const memory = createSourceMemory({ database, clock });
  return createMarketplace({
    sources: createSources({
      database,
      memory,
      fetch,
      readIndex: createIndexReader(),
      audit: audit.inTransaction,
      notify,
      clock,
      newId,
      log,
    }),
    memory,
    database,
    installs: plugins.installs,
    exists: plugins.registry.has,
    placesOf: (id) =>
      plugins.registry.has(id) ? reach.show(plugins.grants.get(id).reach).places : null,
    reader: createManifestReader(),
    fetch,
    audit: audit.inTransaction,
    serverVersion: built.version,
    log,
  });
}
