/** Films from TMDB. */
import type { Host } from '../../plugin-api/index.ts';
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import type { Catalogue } from './catalogue.ts';
import { filmLookup } from './films.ts';

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
  libraryTypes: ['movies'],
  open: async (host) => filmLookup(await catalogueOf(host)),
});
