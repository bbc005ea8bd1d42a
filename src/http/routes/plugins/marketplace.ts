import { shortPage } from '../../short-list.ts';
import type { Marketplace } from '../../../plugins/marketplace/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { InstalledReply } from '../../../contract/resources/plugins/plugin.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/marketplace.ts';

const tags = ['plugins'];
const config = { access: 'admin' } as const;

/** The marketplace: signed plugins of other authors, verified before they are unpacked. */
export const marketplaceRoutes: Routes<{ readonly marketplace: Marketplace }> = async (
  app,
  { marketplace },
) => {
  app.get(
    '/api/plugins/marketplace',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'listMarketplacePlugins',
        summary: 'Search the plugins that the sources offer',
        tags,
        querystring: schema.OffersQuery,
        response: { 200: schema.OffersReply },
      },
    },
    (request) => marketplace.list(request.query, viewerOf(request).locale),
  );

  for (const verb of ['install', 'upgrade'] as const) {
    app.post(
      `/api/plugins/marketplace/${verb}`,
      {
        config: { ...config, failsWithCode: true },
        schema: {
          operationId: `${verb}Plugin`,
          summary:
            verb === 'install'
              ? 'Install a plugin; one that asks for permissions waits until they are granted'
              : 'Upgrade a plugin; one that asks for more permissions waits until they are granted',
          tags,
          body: schema.InstallBody,
          response: { 200: InstalledReply },
        },
      },
      (request) => marketplace[verb](request.body, viewerOf(request)),
    );
  }

  app.post(
    '/api/plugins/marketplace/rollback',
    {
      config,
      schema: {
        operationId: 'rollBackPlugin',
        summary: 'Go back to a version that was installed here before, with its settings and data',
        tags,
        body: schema.RollbackBody,
        response: { 200: InstalledReply },
      },
    },
    (request) => marketplace.rollBack(request.body, viewerOf(request)),
  );

  app.get(
    '/api/plugins/:id/versions',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'listPluginVersions',
        summary: 'List the versions of a plugin that were installed here before',
        tags,
        params: IdParams,
        querystring: ShortListQuery,
        response: { 200: schema.EarlierVersionsReply },
      },
    },
    async (request) => {
      const list = marketplace.earlier(request.params.id, viewerOf(request).locale);
      const { page, nextCursor } = shortPage(list, request.query, ({ version }) => version);
      return { versions: page, nextCursor };
    },
  );

  app.delete(
    '/api/plugins/:id',
    {
      config,
      schema: {
        operationId: 'uninstallPlugin',
        summary: 'Remove an installed plugin with all its data',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await marketplace.uninstall(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/plugins/marketplace/sources',
    {
      config,
      schema: {
        operationId: 'listMarketplaceSources',
        summary: 'List the sources',
        tags,
        querystring: ShortListQuery,
        response: { 200: schema.SourcesReply },
      },
    },
    async (request) => {
      const list = marketplace.sources();
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { sources: page, nextCursor };
    },
  );

  app.post(
    '/api/plugins/marketplace/sources',
    {
      config,
      schema: {
        operationId: 'createMarketplaceSource',
        summary: 'Add a source; its key is pinned',
        tags,
        body: schema.NewSourceBody,
        response: { 201: schema.SourceReply },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ source: await marketplace.addSource(request.body, viewerOf(request)) }),
  );

  app.delete(
    '/api/plugins/marketplace/sources/:id',
    {
      config,
      schema: {
        operationId: 'deleteMarketplaceSource',
        summary: 'Remove a source; plugins installed from it stay',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await marketplace.removeSource(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/plugins/marketplace/refresh',
    {
      config,
      schema: {
        operationId: 'refreshMarketplaceSources',
        summary: 'Fetch all sources now, and stop the plugins that they revoked',
        tags,
        response: { 200: schema.SourcesReply },
      },
    },
    async () => ({ sources: await marketplace.refresh(), nextCursor: null }),
  );
};
