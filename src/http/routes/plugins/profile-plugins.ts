import type { ProfilePlugins } from '../../../plugins/admin/index.ts';
import { JsonMap, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/plugins/profile-plugins.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'profiles', access: 'user' } as const;

/** What a profile entered in the forms of plugins. */
export const profilePluginRoutes = routes<{
  readonly profilePlugins: ProfilePlugins;
}>(shared, (route, { profilePlugins }) => {
  route('GET /api/profiles/:id/plugins', {
    operation: 'listProfilePlugins',
    summary: 'The plugins that a profile can set up for itself, with what it entered',
    query: ShortListQuery,
    reply: schema.ProfilePluginsReply,
    handler: async ({ params, query, viewer }) =>
      shortReply('plugins', await profilePlugins.list(params.id, viewer), query),
  });

  route('PUT /api/profiles/:id/plugins/:pluginId', {
    operation: 'setProfilePlugin',
    summary: 'Set what a profile enters in the form of a plugin; `***` keeps a secret',
    body: JsonMap,
    reply: schema.ProfilePluginReply,
    handler: async ({ params, body, viewer }) => {
      const { id: profileId, pluginId } = params;
      const where = { profileId, pluginId };
      return { plugin: await profilePlugins.set(where, body, viewer) };
    },
  });

  route('PUT /api/profiles/:id/plugins/:pluginId/agreement', {
    operation: 'setProfilePluginAgreement',
    summary: 'Let a plugin act for a profile while nobody uses it, as far as an admin granted it',
    body: schema.AgreementBody,
    reply: schema.ProfilePluginReply,
    handler: async ({ params: { id: profileId, pluginId }, body: { agrees }, viewer }) => ({
      plugin: await profilePlugins.agree({ profileId, pluginId }, agrees, viewer),
    }),
  });
});
