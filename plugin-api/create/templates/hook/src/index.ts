import { definePlugin } from '@vitrine/plugin-api';
import { bestQuality } from './quality.ts';

export default definePlugin({
  hooks: {
    /** After the files of an item were looked into, and before it is identified. */
    'pipeline.probe.afterProcess': async ({ bundle }, host) => {
      const { tellHdr } = await host.config.get({});
      const quality = bestQuality(bundle.files.media, { tellHdr: tellHdr === true });
      // Only what is added is given back; `null` is no change. Fields of its own stand under the
      // plugin's id, so that no two plugins write the same one.
      return quality === null ? null : { fields: { 'template-hook': { quality } } };
    },
  },
});
