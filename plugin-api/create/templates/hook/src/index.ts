import { definePlugin } from '@vitrine/plugin-api';
import type { Configuration } from './configuration.ts';
import { bestQuality } from './quality.ts';

export default definePlugin<Configuration>({
  hooks: {
    /** After the probe of an item's files, and before it is identified. */
    'pipeline.probe.afterProcess': async ({ bundle }, host) => {
      const { tellHdr } = await host.config.get({});
      const quality = bestQuality(bundle.files.media, { tellHdr });
      // Return only what is added; `null` means no change. Own fields are below the plugin's id, so
      // that no two plugins write the same field.
      return quality === null ? null : { fields: { 'template-hook': { quality } } };
    },
  },
});
