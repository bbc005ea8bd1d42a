/** Books from Open Library. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { bookLookup } from './books.ts';

/** The service answers once a second, and the server waits a minute for a batch. */
const patience = 40_000;

export default defineIndexer({
  libraryTypes: ['books', 'audiobooks'],
  open: (host, { config, languages }) =>
    bookLookup({
      ask: askAt(host, config, { patience }),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      // It knows codes of two letters.
      languages: languages.filter((one) => one.length === 2),
    }),
});
