import { shortPage } from '../../short-list.ts';
import type { MetadataPreset } from '../../../plugins/admin/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import * as schema from '../../../contract/resources/plugins/plugin-presets.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';

const url = '/api/plugins/presets/metadata';
const tags = ['plugins'];
const config = { access: 'admin' } as const;

/** Presets: one consent for several plugins with one purpose. */
export const pluginPresetRoutes: Routes<{ readonly metadata: MetadataPreset }> = async (
  app,
  { metadata },
) => {
  app.get(
    url,
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'getMetadataPreset',
        summary: 'The plugins that look things up on the internet, and their hosts',
        tags,
        querystring: ShortListQuery,
        response: { 200: schema.PresetReply },
      },
    },
    async (request) => {
      const { locale = null } = viewerOf(request);
      const { page, nextCursor } = shortPage(metadata.list(locale), request.query, ({ id }) => id);
      return { plugins: page, nextCursor };
    },
  );

  app.post(
    url,
    {
      config,
      schema: {
        operationId: 'setMetadataPreset',
        summary: 'Let these plugins reach the hosts that they ask for',
        tags,
        body: schema.PresetChoice,
        response: { 200: schema.PresetReply },
      },
    },
    async (request) => ({
      plugins: await metadata.grant(request.body.plugins, viewerOf(request)),
      nextCursor: null,
    }),
  );
};
