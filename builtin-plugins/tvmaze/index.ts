/** Series from TVmaze. */
import { definePlugin, type Host } from '../../plugin-api/index.ts';
import { createAsk } from '../catalogue-lookup/ask.ts';
import { identifyAll } from '../catalogue-lookup/batch.ts';
import { candidates, identify, type Catalogue } from './shows.ts';

const day = 86_400;

async function catalogueOf(host: Host): Promise<Catalogue> {
  const { baseUrl, imageBaseUrl, keepDays } = await host.config.get({});
  const maxAge = Number(keepDays) * day;
  return {
    ask: createAsk(host.net, { baseUrl: String(baseUrl), maxAge }),
    imageBaseUrl: String(imageBaseUrl).replace(/\/+$/, ''),
  };
}

export default definePlugin({
  methods: {
    'indexer.supports': ({ libraryType }) => libraryType === 'tv',

    'indexer.index': async ({ libraryType, files }, host) => {
      if (libraryType !== 'tv') return { results: files.map(() => null) };
      const catalogue = await catalogueOf(host);
      return identifyAll(files, (file) => identify(file, catalogue));
    },

    'indexer.search': async ({ libraryType, query, year, limit }, host) => {
      if (libraryType !== 'tv') return { candidates: [] };
      const found = await candidates({ title: query, year }, await catalogueOf(host));
      return { candidates: found.slice(0, limit) };
    },
  },
});
