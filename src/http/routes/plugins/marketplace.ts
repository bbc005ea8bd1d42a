import type { Marketplace } from '../../../plugins/marketplace/index.ts';
import { InstalledReply } from '../../../contract/resources/plugins/plugin.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/marketplace.ts';
import { shortPage, shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'plugins', access: 'admin' } as const;

/** The marketplace: signed plugins of other authors, verified before they are unpacked. */
export const marketplaceRoutes = routes<{
  readonly marketplace: Marketplace;
}>(shared, (route, { marketplace }) => {
  route('GET /api/plugins/marketplace', {
    holdsNoSecret: true,
    operation: 'listMarketplacePlugins',
    summary: 'Search the plugins that the sources offer',
    query: schema.OffersQuery,
    reply: schema.OffersReply,
    handler: ({ query, viewer }) => marketplace.list(query, viewer.locale),
  });

  for (const verb of ['install', 'upgrade'] as const) {
    route(`POST /api/plugins/marketplace/${verb}`, {
      failsWithCode: true,
      operation: `${verb}Plugin`,
      summary:
        verb === 'install'
          ? 'Install a plugin; one that asks for permissions waits until they are granted'
          : 'Upgrade a plugin; one that asks for more permissions waits until they are granted',
      body: schema.InstallBody,
      reply: InstalledReply,
      handler: ({ body, viewer }) => marketplace[verb](body, viewer),
    });
  }

  route('POST /api/plugins/marketplace/rollback', {
    operation: 'rollBackPlugin',
    summary: 'Go back to a version that was installed here before, with its settings and data',
    body: schema.RollbackBody,
    reply: InstalledReply,
    handler: ({ body, viewer }) => marketplace.rollBack(body, viewer),
  });

  route('GET /api/plugins/:id/versions', {
    holdsNoSecret: true,
    operation: 'listPluginVersions',
    summary: 'List the versions of a plugin that were installed here before',
    query: ShortListQuery,
    reply: schema.EarlierVersionsReply,
    handler: ({ params, query, viewer }) => {
      const list = marketplace.earlier(params.id, viewer.locale);
      const { page, nextCursor } = shortPage(list, query, ({ version }) => version);
      return { versions: page, nextCursor };
    },
  });

  route('DELETE /api/plugins/:id', {
    operation: 'uninstallPlugin',
    summary: 'Remove an installed plugin with all its data',
    handler: ({ params, viewer }) => marketplace.uninstall(params.id, viewer),
  });

  route('GET /api/plugins/marketplace/sources', {
    operation: 'listMarketplaceSources',
    summary: 'List the sources',
    query: ShortListQuery,
    reply: schema.SourcesReply,
    handler: ({ query }) => shortReply('sources', marketplace.sources(), query),
  });

  route('POST /api/plugins/marketplace/sources', {
    operation: 'createMarketplaceSource',
    summary: 'Add a source; its key is pinned',
    body: schema.NewSourceBody,
    created: schema.SourceReply,
    handler: async ({ body, viewer }) => ({ source: await marketplace.addSource(body, viewer) }),
  });

  route('DELETE /api/plugins/marketplace/sources/:id', {
    operation: 'deleteMarketplaceSource',
    summary: 'Remove a source; plugins installed from it stay',
    handler: ({ params, viewer }) => marketplace.removeSource(params.id, viewer),
  });

  route('POST /api/plugins/marketplace/refresh', {
    operation: 'refreshMarketplaceSources',
    summary: 'Fetch all sources now, and stop the plugins that they revoked',
    reply: schema.SourcesReply,
    handler: async () => ({ sources: await marketplace.refresh(), nextCursor: null }),
  });
});
