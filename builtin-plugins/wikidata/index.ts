/** Films from Wikidata, with summaries from Wikipedia and pictures from Wikimedia Commons. */
import type { Part } from '../catalogue-lookup/values.ts';
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { filmLookup } from './films.ts';
import type { AskIn } from './wikipedia.ts';
import type { Host } from '../../plugin-api/index.ts';

/** Each language has a Wikipedia of its own; a mirror is asked for all of them at its address. */
function wikipedias(host: Host, config: Part): AskIn {
  const { protocol, host: at, pathname } = new URL(addressIn(config, 'wikipediaUrl'));
  const base = (language: string): string =>
    at === 'wikipedia.org'
      ? `${protocol}//${language}.${at}`
      : `${protocol}//${at}${pathname.replace(/\/$/, '')}/${language}`;
  return (language) =>
    askAt(host, { ...config, wikipediaUrl: base(language) }, { field: 'wikipediaUrl' });
}

export default defineIndexer({
  libraryTypes: ['movies'],
  open: (host, { config, languages, textLanguages }) =>
    filmLookup({
      ask: askAt(host, config),
      askWikipedia: wikipedias(host, config),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      // Wikimedia writes `pt-br`.
      languages: languages.map((tag) => tag.toLowerCase()),
      textLanguages: textLanguages.map((tag) => tag.toLowerCase()),
    }),
});
