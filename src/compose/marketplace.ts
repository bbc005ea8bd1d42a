import type { Kernel } from '../../kernel/index.ts';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { createIndexReader } from '../../kernel/run/packages/index.ts';
import {
  createMarketplace,
  createSourceMemory,
  createSources,
  type Marketplace,
} from '../plugins/marketplace/index.ts';
import type { GivenTexts } from '../library/catalogue/items/index.ts';
import type { SourceFetch } from '../platform/net/index.ts';
import type { PluginReach } from '../plugins/scopes/index.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface MarketplaceNeeds {
  readonly reach: PluginReach;
  readonly fetch: SourceFetch;
  readonly givenTexts: Pick<GivenTexts, 'forget'>;
  /** Called when the sources were refreshed. */
  readonly onRefresh: () => void;
}

/** Builds the catalogue of plugins in sources, and their installation. */
export function composeMarketplace(
  { built, database, audit, clock, newId, log }: Infrastructure,
  { plugins }: Kernel,
  { reach, fetch, givenTexts, onRefresh }: MarketplaceNeeds,
): Marketplace {
  const memory = createSourceMemory({ database, clock });
  const marketplace = createMarketplace({
    sources: createSources({
      database,
      memory,
      fetch,
      readIndex: createIndexReader(),
      audit: audit.inTransaction,
      clock,
      newId,
      log,
    }),
    memory,
    database,
    installs: plugins.installs,
    exists: plugins.registry.has,
    placesOf: (id, locale) =>
      plugins.registry.has(id) ? reach.show(plugins.grants.get(id).reach, locale).places : null,
    permissionsOf: plugins.grants.get,
    reader: createManifestReader(),
    fetch,
    removed: givenTexts.forget,
    audit: audit.inTransaction,
    serverVersion: built.version,
    log,
  });
  return {
    ...marketplace,
    refresh: async () => {
      const sources = await marketplace.refresh();
      onRefresh();
      return sources;
    },
  };
}
