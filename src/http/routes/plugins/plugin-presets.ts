import type { MetadataPreset } from '../../../plugins/admin/index.ts';
import * as schema from '../../../contract/resources/plugins/plugin-presets.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { routes } from '../../route.ts';
import { shortReply } from '../../short-list.ts';

const shared = { tag: 'plugins', access: 'admin' } as const;

const url = '/api/plugins/presets/metadata';

/** Presets: one consent for several plugins with one purpose. */
export const pluginPresetRoutes = routes<{
  readonly metadata: MetadataPreset;
}>(shared, (route, { metadata }) => {
  route(`GET ${url}`, {
    holdsNoSecret: true,
    operation: 'getMetadataPreset',
    summary: 'The plugins that look things up on the internet, and their hosts',
    query: ShortListQuery,
    reply: schema.PresetReply,
    handler: ({ query, viewer }) =>
      shortReply('plugins', metadata.list(viewer.locale ?? null), query),
  });

  route(`POST ${url}`, {
    operation: 'setMetadataPreset',
    summary: 'Let these plugins reach the hosts that they ask for',
    body: schema.PresetChoice,
    reply: schema.PresetReply,
    handler: async ({ body, viewer }) => ({
      plugins: await metadata.grant(body.plugins, viewer),
      nextCursor: null,
    }),
  });
});
