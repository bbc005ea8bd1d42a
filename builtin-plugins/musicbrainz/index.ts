/** Music from MusicBrainz, with covers of the Cover Art Archive. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { albumLookup } from './albums.ts';

/** The service answers once a second, and the server waits a minute for a batch. */
const patience = 40_000;

export default defineIndexer({
  libraryTypes: ['music'],
  // Names of artists are as the artist writes them, unless somebody wants a language.
  lastLanguage: null,
  open: (host, { config, languages }) =>
    albumLookup({
      ask: askAt(host, config, { patience }),
      askImages: askAt(host, config, { field: 'imageBaseUrl' }),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages,
    }),
});
