/** Music from MusicBrainz, with covers of the Cover Art Archive. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { textsOf } from '../catalogue-lookup/values.ts';
import { albumLookup } from './albums.ts';

/** The service answers once a second, and the server waits a minute for a batch. */
const patience = 40_000;

export default defineIndexer({
  libraryTypes: ['music'],
  open: async (host) => {
    const config = await host.config.get({});
    return albumLookup({
      ask: askAt(host, config, { patience }),
      askImages: askAt(host, config, { field: 'imageBaseUrl' }),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages: textsOf(config['languages']),
    });
  },
});
