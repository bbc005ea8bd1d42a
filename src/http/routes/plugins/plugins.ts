import type { Configuration, Grants, Usage } from '../../../../kernel/run/index.ts';
import {
  explained,
  type PluginAdmin,
  type PluginDirectory,
  type PluginDryRun,
} from '../../../plugins/admin/index.ts';
import type { PluginReach } from '../../../plugins/scopes/index.ts';
import { PermissionsReply } from '../../../contract/resources/plugins/plugin.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/plugins.ts';
import { routes } from '../../route.ts';
import { shortPage, shortReply } from '../../short-list.ts';
import { sendRawJson } from '../../raw-json-reply.ts';

const shared = { tag: 'plugins', access: 'admin' } as const;

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

/** Plugins: their list, state, configuration, grants and actions. */
export const pluginRoutes = routes<PluginRouteParts>(shared, (route, parts) => {
  const { plugins, admin, directory, dryRun, reach } = parts;
  route('GET /api/plugins', {
    access: 'guest',
    holdsNoSecret: true,
    operation: 'listPlugins',
    summary: 'List plugins',
    query: schema.PluginsQuery,
    reply: schema.PluginsReply,
    handler: ({ query, viewer }) => {
      const { plugins: list, skipped } = directory.list(viewer, query);
      return { ...shortReply('plugins', list, query), skipped };
    },
  });

  route('GET /api/plugins/:id', {
    access: 'guest',
    holdsNoSecret: true,
    operation: 'getPlugin',
    summary: 'One plugin',
    reply: schema.PluginReply,
    handler: ({ params, viewer }) => ({ plugin: directory.get(params.id, viewer) }),
  });

  route('POST /api/plugins/rescan', {
    operation: 'rescanPlugins',
    summary: 'Read the folders of local plugins again; new permissions wait for a grant',
    reply: schema.RescanReply,
    handler: ({ viewer }) => admin.rescan(viewer),
  });

  for (const verb of ['enable', 'disable', 'restart'] as const) {
    route(`POST /api/plugins/:id/${verb}`, {
      operation: `${verb}Plugin`,
      summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} a plugin`,
      reply: schema.PluginReply,
      handler: async ({ params, viewer }) => ({ plugin: await admin[verb](params.id, viewer) }),
    });
  }

  route('GET /api/plugins/:id/configuration', {
    operation: 'getPluginConfiguration',
    summary: 'The values of the configuration; secrets are `***`',
    reply: schema.ConfigurationValues,
    handler: ({ params }) => ({ ...plugins.configuration.get(params.id) }),
  });

  route('PUT /api/plugins/:id/configuration', {
    operation: 'setPluginConfiguration',
    summary: 'Replace the values of the configuration; `***` keeps a secret',
    body: schema.ConfigurationValues,
    reply: schema.PluginReply,
    handler: async ({ params, body, viewer }) => ({
      plugin: await admin.configure(params.id, body, viewer),
    }),
  });

  route('GET /api/plugins/:id/logs', {
    operation: 'listPluginLogs',
    summary: 'The last lines of the log',
    query: ShortListQuery,
    reply: schema.LogsReply,
    handler: ({ params, query }) => {
      const lines = plugins.usage.logs(params.id);
      const { page, nextCursor } = shortPage(
        lines,
        query,
        ({ time, text }) => `${time} ${text.slice(0, 100)}`,
      );
      return { lines: page, nextCursor };
    },
  });

  route('GET /api/plugins/:id/usage', {
    operation: 'getPluginUsage',
    summary: 'The usage of the plugin',
    reply: schema.UsageReply,
    handler: async ({ params }) => ({ usage: await directory.usage(params.id) }),
  });

  route('GET /api/plugins/:id/permissions', {
    operation: 'getPluginPermissions',
    summary: 'What the plugin asks for, and what it was granted',
    reply: PermissionsReply,
    handler: ({ params, viewer }) =>
      explained(plugins.grants.get(params.id, viewer.locale), reach, viewer.locale),
  });

  route('PUT /api/plugins/:id/permissions', {
    operation: 'setPluginPermissions',
    summary: 'Grant permissions, never more than were asked for, and pick the libraries',
    body: schema.Grant,
    reply: PermissionsReply,
    handler: async ({ params, body, viewer }) => {
      const given = { granted: body.granted, reach: body.libraries };
      const changed = await admin.grant(params.id, given, viewer);
      return explained(changed, reach, viewer.locale);
    },
  });

  route('GET /api/plugins/:id/permissions/dry-run', {
    operation: 'testPluginPermissions',
    summary: 'Which calls of its last run another grant would have refused',
    query: schema.DryRunQuery,
    reply: schema.DryRunReply,
    handler: async ({ params, query, viewer }) => ({
      dryRun: await dryRun(params.id, query, viewer.locale),
    }),
  });

  route('POST /api/plugins/:id/actions/:rpcMethod', {
    access: 'user',
    writes: 'often',
    operation: 'runPluginAction',
    summary: 'Call an action that the manifest lists',
    body: schema.ActionBody,
    reply: schema.ActionReply,
    handler: async ({ params: { id, rpcMethod }, body, viewer, reply }) =>
      sendRawJson(reply, 'result', await admin.callAction(id, rpcMethod, body ?? {}, viewer)),
  });
});
