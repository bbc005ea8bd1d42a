/** Books from Open Library. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { textsOf } from '../catalogue-lookup/values.ts';
import { bookLookup } from './books.ts';

/** The service answers once a second, and the server waits a minute for a batch. */
const patience = 40_000;

export default defineIndexer({
  libraryTypes: ['books', 'audiobooks'],
  open: async (host) => {
    const config = await host.config.get({});
    return bookLookup({
      ask: askAt(host, config, { patience }),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages: textsOf(config['languages']).filter((one) => /^[a-z]{2}$/.test(one)),
    });
  },
});
