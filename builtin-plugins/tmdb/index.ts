/** Films from TMDB. */
import { definePlugin, type Host } from '../../plugin-api/index.ts';
import { createAsk } from '../catalogue-lookup/ask.ts';
import { identifyAll } from '../catalogue-lookup/batch.ts';
import { candidates, identify, type Catalogue } from './films.ts';

const day = 86_400;

async function catalogueOf(host: Host): Promise<Catalogue> {
  const { baseUrl, imageBaseUrl, keepDays, language } = await host.config.get({});
  return {
    ask: createAsk(host.net, {
      baseUrl: String(baseUrl),
      maxAge: Number(keepDays) * day,
      query: 'api_key={secret:apiKey}',
    }),
    imageBaseUrl: String(imageBaseUrl).replace(/\/+$/, ''),
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(String(language)) ? String(language) : 'en-US',
  };
}

export default definePlugin({
  methods: {
    'indexer.supports': ({ libraryType }) => libraryType === 'movies',

    'indexer.index': async ({ libraryType, files }, host) => {
      if (libraryType !== 'movies') return { results: files.map(() => null) };
      const catalogue = await catalogueOf(host);
      return identifyAll(files, (file) => identify(file, catalogue));
    },

    'indexer.search': async ({ libraryType, query, year, limit }, host) => {
      if (libraryType !== 'movies') return { candidates: [] };
      const found = await candidates({ title: query, year }, await catalogueOf(host));
      return { candidates: found.slice(0, limit) };
    },
  },
});
