import { shortPage } from '../../short-list.ts';
import type { PluginSecretsAdmin } from '../../../plugins/secrets/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/plugin-secrets.ts';

const tags = ['plugins'];
const config = { access: 'admin' } as const;

/** The secrets of plugins: set by an admin, used by the server, never shown. */
export const pluginSecretRoutes: Routes<{ readonly secrets: PluginSecretsAdmin }> = async (
  app,
  { secrets },
) => {
  app.get(
    '/api/plugins/:id/secrets',
    {
      config,
      schema: {
        operationId: 'listPluginSecrets',
        summary: 'The secrets of a plugin, without their values',
        tags,
        params: IdParams,
        querystring: ShortListQuery,
        response: { 200: schema.SecretsReply },
      },
    },
    async (request) => {
      const list = await secrets.list(request.params.id);
      const { page, nextCursor } = shortPage(list, request.query, ({ name, scope }) =>
        JSON.stringify([name, scope]),
      );
      return { secrets: page, nextCursor };
    },
  );

  app.put(
    '/api/plugins/:id/secrets/:name',
    {
      config,
      schema: {
        operationId: 'setPluginSecret',
        summary: 'Set a secret; its value is never shown again',
        tags,
        params: schema.SecretParams,
        querystring: schema.SecretScopeQuery,
        body: schema.NewSecretBody,
        response: { 200: schema.SecretReply },
      },
    },
    async (request) => {
      const { id, name } = request.params;
      const asked = { name, ...request.query };
      return { secret: await secrets.put(id, asked, request.body, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/plugins/:id/secrets/:name',
    {
      config,
      schema: {
        operationId: 'deletePluginSecret',
        summary: 'Delete a secret',
        tags,
        params: schema.SecretParams,
        querystring: schema.SecretScopeQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id, name } = request.params;
      await secrets.remove(id, { name, ...request.query }, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
