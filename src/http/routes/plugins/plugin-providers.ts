import type { ProvidedKey, Providers, Registry } from '../../../../kernel/run/index.ts';
import type { PluginAdmin } from '../../../plugins/admin/index.ts';
import * as schema from '../../../contract/resources/plugins/plugin-providers.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'plugins', access: 'admin' } as const;

export interface ProviderRouteParts {
  readonly plugins: {
    readonly providers: Pick<Providers, 'list'>;
    readonly registry: Pick<Registry, 'get'>;
  };
  readonly admin: Pick<PluginAdmin, 'chooseProvider'>;
}

/** Providers: which plugin serves which capability, and which others could. */
export const providerRoutes = routes<ProviderRouteParts>(shared, (route, { plugins, admin }) => {
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

  route('GET /api/plugins/providers', {
    operation: 'listProviders',
    summary: 'Which plugin serves each capability, and which others could',
    query: ShortListQuery,
    reply: schema.ProvidersReply,
    handler: ({ query, viewer }) => {
      const list = plugins.providers.list().map((one) => shown(one, viewer.locale));
      const { page, nextCursor } = shortPage(list, query, ({ key }) => key);
      return { providers: page, nextCursor };
    },
  });

  route('PUT /api/plugins/providers/:key', {
    operation: 'chooseProvider',
    summary: 'Choose the plugin that serves a capability',
    body: schema.ProviderChoice,
    reply: schema.ProviderReply,
    handler: async ({ params, body, viewer }) => {
      const provider = await admin.chooseProvider(params.key, body.pluginId, viewer);
      return { provider: shown(provider, viewer.locale) };
    },
  });
});
