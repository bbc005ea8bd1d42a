import type { PluginSecretsAdmin } from '../../../plugins/secrets/index.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/plugin-secrets.ts';
import { routes } from '../../route.ts';
import { shortPage } from '../../short-list.ts';

const shared = { tag: 'plugins', access: 'admin' } as const;

/** The secrets of plugins: set by an admin, used by the server, never shown. */
export const pluginSecretRoutes = routes<{
  readonly secrets: PluginSecretsAdmin;
}>(shared, (route, { secrets }) => {
  route('GET /api/plugins/:id/secrets', {
    operation: 'listPluginSecrets',
    summary: 'The secrets of a plugin, without their values',
    query: ShortListQuery,
    reply: schema.SecretsReply,
    handler: async ({ params, query }) => {
      const list = await secrets.list(params.id);
      const { page, nextCursor } = shortPage(list, query, ({ name, scope }) =>
        JSON.stringify([name, scope]),
      );
      return { secrets: page, nextCursor };
    },
  });

  route('PUT /api/plugins/:id/secrets/:name', {
    operation: 'setPluginSecret',
    summary: 'Set a secret; its value is never shown again',
    params: schema.SecretParams,
    query: schema.SecretScopeQuery,
    body: schema.NewSecretBody,
    reply: schema.SecretReply,
    handler: async ({ params: { id, name }, query, body, viewer }) => ({
      secret: await secrets.put(id, { name, ...query }, body, viewer),
    }),
  });

  route('DELETE /api/plugins/:id/secrets/:name', {
    operation: 'deletePluginSecret',
    summary: 'Delete a secret',
    params: schema.SecretParams,
    query: schema.SecretScopeQuery,
    handler: ({ params, query, viewer }) =>
      secrets.remove(params.id, { name: params.name, ...query }, viewer),
  });
});
