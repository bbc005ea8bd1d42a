/** Films and series from TMDB. */
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { knownLanguages } from './catalogue.ts';
import { filmLookup } from './films.ts';
import { seriesLookup } from './series.ts';

export default defineIndexer({
  libraryTypes: ['movies', 'tv'],
  open: (host, { libraryType, config, languages, textLanguages }) => {
    const catalogue = {
      ask: askAt(host, config, { query: 'api_key={secret:apiKey}' }),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages: knownLanguages(languages),
      textLanguages: knownLanguages(textLanguages),
    };
    return libraryType === 'tv' ? seriesLookup(catalogue) : filmLookup(catalogue);
  },
});
