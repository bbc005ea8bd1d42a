import type { ApiKeys } from '../../../people/accounts/index.ts';
import * as schema from '../../../contract/resources/accounts/api-keys.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'auth', access: 'user' } as const;

/** API keys: credentials for scripts, players and other servers. */
export const apiKeyRoutes = routes<{ readonly apiKeys: ApiKeys }>(shared, (route, { apiKeys }) => {
  route('GET /api/api-keys', {
    operation: 'listApiKeys',
    summary: 'List my API keys, or for an admin those of all users, newest first',
    query: schema.ApiKeysQuery,
    reply: schema.ApiKeysReply,
    handler: ({ query, viewer }) => apiKeys.list(viewer, query),
  });

  route('POST /api/api-keys', {
    operation: 'createApiKey',
    summary: 'Make an API key',
    body: schema.NewApiKey,
    created: schema.FreshApiKeyReply,
    handler: ({ body, viewer }) => apiKeys.create(body, viewer),
  });

  route('DELETE /api/api-keys/:id', {
    writes: 'endsCredentials',
    operation: 'deleteApiKey',
    summary: 'Revoke an API key',
    handler: ({ params, viewer }) => apiKeys.remove(params.id, viewer),
  });
});
