import { shortPage } from '../../short-list.ts';
import type { ProvidedKey, Providers, Registry } from '../../../../kernel/plugins/index.ts';
import type { PluginAdmin } from '../../../plugins/admin/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import * as schema from '../../../contract/resources/plugins/plugin-providers.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';

/** What the routes of providers need. */
export interface ProviderRouteParts {
  readonly plugins: {
    readonly providers: Pick<Providers, 'list'>;
    readonly registry: Pick<Registry, 'get'>;
  };
  readonly admin: Pick<PluginAdmin, 'chooseProvider'>;
}

const tags = ['plugins'];
const config = { access: 'admin' } as const;

/** Providers: which plugin serves which capability, and which others could. */
export const providerRoutes: Routes<ProviderRouteParts> = async (app, { plugins, admin }) => {
  const shown = (
    { key, pluginId, isChosen, candidates }: ProvidedKey,
    locale: string | null = null,
  ) => ({
    key,
    pluginId,
    chosen: isChosen,
    candidates: candidates.map((id) => {
      const { name, type } = plugins.registry.get(id, locale);
      return { pluginId: id, name, type };
    }),
  });

  app.get(
    '/api/plugins/providers',
    {
      config,
      schema: {
        operationId: 'listProviders',
        summary: 'Which plugin serves each capability, and which others could',
        tags,
        querystring: ShortListQuery,
        response: { 200: schema.ProvidersReply },
      },
    },
    async (request) => {
      const { locale } = viewerOf(request);
      const list = plugins.providers.list().map((one) => shown(one, locale));
      const { page, nextCursor } = shortPage(list, request.query, ({ key }) => key);
      return { providers: page, nextCursor };
    },
  );

  app.put(
    '/api/plugins/providers/:key',
    {
      config,
      schema: {
        operationId: 'chooseProvider',
        summary: 'Choose the plugin that serves a capability',
        tags,
        params: schema.ProviderParams,
        body: schema.ProviderChoice,
        response: { 200: schema.ProviderReply },
      },
    },
    async (request) => {
      const { pluginId } = request.body;
      const viewer = viewerOf(request);
      const provider = await admin.chooseProvider(request.params.key, pluginId, viewer);
      return { provider: shown(provider, viewer.locale) };
    },
  );
};
