/** Series from TVmaze. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { showLookup } from './shows.ts';

export default defineIndexer({
  libraryTypes: ['tv'],
  open: async (host) => {
    const config = await host.config.get({});
    return showLookup({
      ask: askAt(host, config),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
    });
  },
});
