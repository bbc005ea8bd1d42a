import { shortPage } from '../../short-list.ts';
import type { Configuration, Grants, Usage } from '../../../../kernel/plugins/index.ts';
import {
  explained,
  type PluginAdmin,
  type PluginDirectory,
  type PluginDryRun,
} from '../../../plugins/admin/index.ts';
import type { PluginReach } from '../../../plugins/scopes/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { sendRawJson } from '../../raw-json-reply.ts';
import { PermissionsReply } from '../../../contract/resources/plugins/plugin.ts';
import { IdParams, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/plugins.ts';

/** What the routes of plugins need. */
export interface PluginRouteParts {
  readonly plugins: {
    readonly configuration: Pick<Configuration, 'get'>;
    readonly usage: Pick<Usage, 'logs'>;
    readonly grants: Pick<Grants, 'get'>;
  };
  readonly dryRun: PluginDryRun;
  readonly admin: Omit<PluginAdmin, 'chooseProvider'>;
  readonly reach: Pick<PluginReach, 'show'>;
  readonly directory: PluginDirectory;
}

const tags = ['plugins'];
const adminOnly = { access: 'admin' } as const;
const params = IdParams;

/** Plugins: their list, state, configuration, grants and actions. */
export const pluginRoutes: Routes<PluginRouteParts> = async (app, parts) => {
  const { plugins, admin, directory, dryRun, reach } = parts;
  app.get(
    '/api/plugins',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'listPlugins',
        summary: 'List plugins',
        tags,
        querystring: schema.PluginsQuery,
        response: { 200: schema.PluginsReply },
      },
    },
    async (request) => {
      const { plugins: list, skipped } = directory.list(viewerOf(request), request.query);
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { plugins: page, skipped, nextCursor };
    },
  );

  app.get(
    '/api/plugins/:id',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'getPlugin',
        summary: 'One plugin',
        tags,
        params,
        response: { 200: schema.PluginReply },
      },
    },
    async (request) => ({ plugin: directory.get(request.params.id, viewerOf(request)) }),
  );

  app.post(
    '/api/plugins/rescan',
    {
      config: adminOnly,
      schema: {
        operationId: 'rescanPlugins',
        summary: 'Read the folders of local plugins again; new permissions wait for a grant',
        tags,
        response: { 200: schema.RescanReply },
      },
    },
    async (request) => admin.rescan(viewerOf(request)),
  );

  for (const verb of ['enable', 'disable', 'restart'] as const) {
    app.post(
      `/api/plugins/:id/${verb}`,
      {
        config: adminOnly,
        schema: {
          operationId: `${verb}Plugin`,
          summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} a plugin`,
          tags,
          params,
          response: { 200: schema.PluginReply },
        },
      },
      async (request) => ({ plugin: await admin[verb](request.params.id, viewerOf(request)) }),
    );
  }

  app.get(
    '/api/plugins/:id/configuration',
    {
      config: adminOnly,
      schema: {
        operationId: 'getPluginConfiguration',
        summary: 'The values of the configuration; secrets are `***`',
        tags,
        params,
        response: { 200: schema.ConfigurationValues },
      },
    },
    async (request) => ({ ...plugins.configuration.get(request.params.id) }),
  );

  app.put(
    '/api/plugins/:id/configuration',
    {
      config: adminOnly,
      schema: {
        operationId: 'setPluginConfiguration',
        summary: 'Replace the values of the configuration; `***` keeps a secret',
        tags,
        params,
        body: schema.ConfigurationValues,
        response: { 200: schema.PluginReply },
      },
    },
    async (request) => ({
      plugin: await admin.configure(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.get(
    '/api/plugins/:id/logs',
    {
      config: adminOnly,
      schema: {
        operationId: 'listPluginLogs',
        summary: 'The last lines of the log',
        tags,
        params,
        querystring: ShortListQuery,
        response: { 200: schema.LogsReply },
      },
    },
    async (request) => {
      const lines = plugins.usage.logs(request.params.id);
      const { page, nextCursor } = shortPage(
        lines,
        request.query,
        ({ time, text }) => `${time} ${text.slice(0, 100)}`,
      );
      return { lines: page, nextCursor };
    },
  );

  app.get(
    '/api/plugins/:id/usage',
    {
      config: adminOnly,
      schema: {
        operationId: 'getPluginUsage',
        summary: 'The usage of the plugin',
        tags,
        params,
        response: { 200: schema.UsageReply },
      },
    },
    async (request) => ({ usage: await directory.usage(request.params.id) }),
  );

  app.get(
    '/api/plugins/:id/permissions',
    {
      config: adminOnly,
      schema: {
        operationId: 'getPluginPermissions',
        summary: 'What the plugin asks for, and what it was granted',
        tags,
        params,
        response: { 200: PermissionsReply },
      },
    },
    async (request) => {
      const { locale } = viewerOf(request);
      return explained(plugins.grants.get(request.params.id, locale), reach, locale);
    },
  );

  app.put(
    '/api/plugins/:id/permissions',
    {
      config: adminOnly,
      schema: {
        operationId: 'setPluginPermissions',
        summary: 'Grant permissions, never more than were asked for, and pick the libraries',
        tags,
        params,
        body: schema.Grant,
        response: { 200: PermissionsReply },
      },
    },
    async (request) => {
      const { granted, libraries } = request.body;
      const given = { granted, reach: libraries };
      const viewer = viewerOf(request);
      const changed = await admin.grant(request.params.id, given, viewer);
      return explained(changed, reach, viewer.locale);
    },
  );

  app.get(
    '/api/plugins/:id/permissions/dry-run',
    {
      config: adminOnly,
      schema: {
        operationId: 'testPluginPermissions',
        summary: 'Which calls of its last run another grant would have refused',
        tags,
        params,
        querystring: schema.DryRunQuery,
        response: { 200: schema.DryRunReply },
      },
    },
    async (request) => {
      const { locale } = viewerOf(request);
      return { dryRun: await dryRun(request.params.id, request.query, locale) };
    },
  );

  app.post(
    '/api/plugins/:id/actions/:rpcMethod',
    {
      config: { access: 'user', writes: 'often' },
      schema: {
        operationId: 'runPluginAction',
        summary: 'Call an action that the manifest lists',
        tags,
        params: schema.ActionParams,
        body: schema.ActionBody,
        response: { 200: schema.ActionReply },
      },
    },
    async (request, reply) => {
      const { id, rpcMethod } = request.params;
      const given = request.body ?? {};
      return sendRawJson(
        reply,
        'result',
        await admin.callAction(id, rpcMethod, given, viewerOf(request)),
      );
    },
  );
};
