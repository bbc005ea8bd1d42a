import type { ApiKeys } from '../../../people/accounts/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  ApiKeysQuery,
  ApiKeysReply,
  FreshApiKeyReply,
  NewApiKey,
} from '../../../contract/resources/accounts/api-keys.ts';

const tags = ['auth'];

/** API keys: credentials for scripts, players and other servers. */
export const apiKeyRoutes: Routes<{ readonly apiKeys: ApiKeys }> = async (app, { apiKeys }) => {
  app.get(
    '/api/api-keys',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List my API keys, or for an admin those of all users, newest first',
        tags,
        querystring: ApiKeysQuery,
        response: { 200: ApiKeysReply },
      },
    },
    (request) => apiKeys.list(viewerOf(request), request.query),
  );

  app.post(
    '/api/api-keys',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Make an API key',
        tags,
        body: NewApiKey,
        response: { 201: FreshApiKeyReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await apiKeys.create(request.body, viewerOf(request))),
  );

  app.delete(
    '/api/api-keys/:id',
    {
      config: { access: 'user', writes: 'endsCredentials' },
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await apiKeys.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
