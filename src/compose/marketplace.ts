import { createIndexReader, createManifestReader, type Kernel } from '../../kernel/index.ts';
import { createMarketplace, createSources, type Marketplace } from '../marketplace/index.ts';
import type { SourceFetch } from '../net/index.ts';
import type { PluginReach } from '../plugin-reach/index.ts';
import type { Ground } from './ground.ts';

/** Builds the catalogue of plugins that sources offer, and the way to install one. */
export function composeMarketplace(
  { built, database, audit, clock, newId, log }: Ground,
  { plugins }: Kernel,
  { reach, fetch }: { readonly reach: PluginReach; readonly fetch: SourceFetch },
): Marketplace {
  return createMarketplace({
    sources: createSources({
      database,
      fetch,
      readIndex: createIndexReader(),
      audit: audit.inTransaction,
      clock,
      newId,
      log,
    }),
    installs: plugins.installs,
    exists: plugins.has,
    placesOf: (id) => (plugins.has(id) ? reach.show(plugins.permissions(id).reach).places : null),
    reader: createManifestReader(),
    fetch,
    audit: audit.inTransaction,
    serverVersion: built.version,
    log,
  });
}
