import { shortPage } from '../../short-list.ts';
import type { ProfilePlugins } from '../../../plugins/admin/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, JsonMap, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/profile-plugins.ts';

const tags = ['profiles'];
const config = { access: 'user' } as const;

/** What a profile entered in the forms of plugins. */
export const profilePluginRoutes: Routes<{ readonly profilePlugins: ProfilePlugins }> = async (
  app,
  { profilePlugins },
) => {
  app.get(
    '/api/profiles/:id/plugins',
    {
      config,
      schema: {
        operationId: 'listProfilePlugins',
        summary: 'The plugins that a profile can set up for itself, with what it entered',
        tags,
        params: IdParams,
        querystring: ShortListQuery,
        response: { 200: schema.ProfilePluginsReply },
      },
    },
    async (request) => {
      const list = await profilePlugins.list(request.params.id, viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { plugins: page, nextCursor };
    },
  );

  app.put(
    '/api/profiles/:id/plugins/:pluginId',
    {
      config,
      schema: {
        operationId: 'setProfilePlugin',
        summary: 'Set what a profile enters in the form of a plugin; `***` keeps a secret',
        tags,
        params: schema.ProfilePluginParams,
        body: JsonMap,
        response: { 200: schema.ProfilePluginReply },
      },
    },
    async (request) => {
      const { id: profileId, pluginId } = request.params;
      const where = { profileId, pluginId };
      return { plugin: await profilePlugins.set(where, request.body, viewerOf(request)) };
    },
  );
};
