/** Films and series from TMDB. */
import type { Host } from '../../plugin-api/index.ts';
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import type { Catalogue } from './catalogue.ts';
import { filmLookup } from './films.ts';
import { seriesLookup } from './series.ts';

async function catalogueOf(host: Host): Promise<Catalogue> {
  const config = await host.config.get({});
  const language = String(config['language']);
  return {
    ask: askAt(host, config, { query: 'api_key={secret:apiKey}' }),
    imageBaseUrl: addressIn(config, 'imageBaseUrl'),
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(language) ? language : 'en-US',
  };
}

export default defineIndexer({
  libraryTypes: ['movies', 'tv'],
  open: async (host, libraryType) => {
    const catalogue = await catalogueOf(host);
    return libraryType === 'tv' ? seriesLookup(catalogue) : filmLookup(catalogue);
  },
});
