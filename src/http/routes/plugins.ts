import type { Plugins } from '../../../kernel/index.ts';
import type { PluginDirectory } from '../../operations/index.ts';
import { viewerOf } from '../access.ts';
import type { Routes } from '../http-app.ts';
import { IdParams } from '../schemas.ts';
import * as schema from './plugins.schema.ts';

/** What the plugin routes call. */
export interface PluginRouteParts {
  readonly plugins: Pick<
    Plugins,
    | 'enable'
    | 'disable'
    | 'restart'
    | 'configuration'
    | 'configure'
    | 'logs'
    | 'permissions'
    | 'grant'
    | 'callAction'
  >;
  readonly directory: PluginDirectory;
}

const tags = ['plugins'];
const admin = { access: 'admin' } as const;
const params = IdParams;

/** Plugins: what there is, how it fares, and what an admin does with it. */
export const pluginRoutes: Routes<PluginRouteParts> = async (app, { plugins, directory }) => {
  app.get(
    '/api/plugins',
    {
      config: { access: 'guest' },
      schema: {
        summary: 'List plugins',
        tags,
        querystring: schema.PluginsQuery,
        response: { 200: schema.PluginsReply },
      },
    },
    async (request) => directory.list(viewerOf(request), request.query),
  );

  app.get(
    '/api/plugins/:id',
    {
      config: { access: 'guest' },
      schema: { summary: 'One plugin', tags, params, response: { 200: schema.PluginReply } },
    },
    async (request) => ({ plugin: directory.get(request.params.id, viewerOf(request)) }),
  );

  for (const verb of ['enable', 'disable', 'restart'] as const) {
    app.post(
      `/api/plugins/:id/${verb}`,
      {
        config: admin,
        schema: {
          summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} a plugin`,
          tags,
          params,
          response: { 200: schema.PluginReply },
        },
      },
      async (request) => ({ plugin: await plugins[verb](request.params.id) }),
    );
  }

  app.get(
    '/api/plugins/:id/configuration',
    {
      config: admin,
      schema: {
        summary: 'The values of the configuration; secrets are `***`',
        tags,
        params,
        response: { 200: schema.ConfigurationValues },
      },
    },
    async (request) => ({ ...plugins.configuration(request.params.id) }),
  );

  app.put(
    '/api/plugins/:id/configuration',
    {
      config: admin,
      schema: {
        summary: 'Replace the values of the configuration; `***` keeps a secret',
        tags,
        params,
        body: schema.ConfigurationValues,
        response: { 200: schema.PluginReply },
      },
    },
    async (request) => ({ plugin: await plugins.configure(request.params.id, request.body) }),
  );

  app.get(
    '/api/plugins/:id/logs',
    {
      config: admin,
      schema: {
        summary: 'The last lines of the log',
        tags,
        params,
        response: { 200: schema.LogsReply },
      },
    },
    async (request) => ({ lines: plugins.logs(request.params.id) }),
  );

  app.get(
    '/api/plugins/:id/usage',
    {
      config: admin,
      schema: {
        summary: 'What the plugin has used',
        tags,
        params,
        response: { 200: schema.UsageReply },
      },
    },
    async (request) => ({ usage: directory.usage(request.params.id) }),
  );

  app.get(
    '/api/plugins/:id/permissions',
    {
      config: admin,
      schema: {
        summary: 'What the plugin asks for, and what it was granted',
        tags,
        params,
        response: { 200: schema.PermissionsReply },
      },
    },
    async (request) => plugins.permissions(request.params.id),
  );

  app.put(
    '/api/plugins/:id/permissions',
    {
      config: admin,
      schema: {
        summary: 'Grant permissions, never more than were asked for',
        tags,
        params,
        body: schema.Grant,
        response: { 200: schema.PermissionsReply },
      },
    },
    (request) => plugins.grant(request.params.id, request.body.granted),
  );

  app.post(
    '/api/plugins/:id/actions/:rpcMethod',
    {
      config: { access: 'user' },
      schema: {
        summary: 'Call an action that the manifest lists',
        tags,
        params: schema.ActionParams,
        body: schema.ActionBody,
        response: { 200: schema.ActionReply },
      },
    },
    async (request) => {
      const { id, rpcMethod } = request.params;
      return { result: await plugins.callAction(id, rpcMethod, request.body ?? {}) };
    },
  );
};
