/** Films from Wikidata, with summaries from Wikipedia and pictures from Wikimedia Commons. */
import { textsOf, type Part } from '../catalogue-lookup/values.ts';
import { addressIn, askAt, defineIndexer } from '../catalogue-lookup/indexer.ts';
import { filmLookup } from './films.ts';
import type { AskIn } from './wikipedia.ts';
import type { Host } from '../../plugin-api/index.ts';

/** The languages of the form, and English at the end. */
function languagesOf(config: Part): readonly string[] {
  const entered = textsOf(config['languages']).filter((one) => /^[a-z]{2,3}(-[a-z]+)*$/.test(one));
  return [...new Set([...entered.slice(0, 5), 'en'])];
}

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
  open: async (host) => {
    const config = await host.config.get({});
    return filmLookup({
      ask: askAt(host, config),
      askWikipedia: wikipedias(host, config),
      imageBaseUrl: addressIn(config, 'imageBaseUrl'),
      languages: languagesOf(config),
    });
  },
});
