/** Series from TVmaze. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { showLookup } from './shows.ts';

export default defineIndexer({
  libraryTypes: ['tv'],
  open: (host, { config, languages, textLanguages }) =>
    showLookup({
      ask: askAt(host, config),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages,
      textLanguages,
    }),
});
