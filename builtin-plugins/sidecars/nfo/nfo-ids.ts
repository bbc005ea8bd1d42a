import type { IdValue } from '../../../plugin-api/index.ts';
import type { XmlElement } from '../xml/xml-element.ts';

/** Identifiers by provider. */
export type Ids = Readonly<Record<string, IdValue>>;

/** The names of providers in documents, by our names. */
const providers: ReadonlyMap<string, string> = new Map(
  [
    'imdb: imdb imdbid imdb_id',
    'tmdb: tmdb tmdbid tmdb_id themoviedb moviedb',
    'tvdb: tvdb tvdbid tvdb_id thetvdb',
    'tmdb-collection: tmdbcolid tmdbcollectionid collectionnumber tmdbset tmdbcollection',
    'tvmaze: tvmaze tvmazeid',
    'tvrage: tvrage tvrageid',
    'zap2it: zap2itid zap2it',
    'trakt: trakt traktid',
    'anidb: anidb anidbid',
    'anilist: anilist anilistid',
    'mal: mal myanimelist malid myanimelistid',
    'wikidata: wikidata wikidataid',
    'eidr: eidr eidr_id',
    'asin: asin mobi-asin amazon audible audibleid amazonid audibleasin',
    'isbn: isbn isbn13 isbn10',
    'goodreads: goodreads goodreadsid',
    'google-books: google googlebooks googlebooksid',
    'musicbrainz-artist: musicbrainzartistid',
    'musicbrainz-albumartist: musicbrainzalbumartistid',
    'musicbrainz-album: musicbrainzalbumid musicbrainzreleaseid',
    'musicbrainz-release-group: musicbrainzreleasegroupid',
    'musicbrainz-track: musicbrainztrackid musicbrainzrecordingid',
    'audiodb-artist: audiodbartistid',
    'audiodb-album: audiodbalbumid',
    'discogs: discogs discogsid',
    'douban: douban doubanid',
    'kinopoisk: kinopoisk kinopoiskid',
  ].flatMap((row) => {
    const [ours = '', names = ''] = row.split(': ');
    return names.split(' ').map((name): [string, string] => [name, ours]);
  }),
);

const providerShape = /^[a-z][a-z0-9_.-]{1,39}$/;
const refused: ReadonlySet<string> = new Set(['constructor', 'prototype', 'unknown', 'home']);

/** Our name of a provider; null for an invalid name. */
export function toProvider(written: string): string | null {
  const name = written.trim().toLowerCase();
  if (refused.has(name)) return null;
  return providers.get(name) ?? (providerShape.test(name) ? name : null);
}

/** An id as it is stored; null when it is invalid. */
export function toId(provider: string, written: string): string | null {
  const id = written.trim().slice(0, 201);
  if (id === '' || id.length > 200 || /\s/.test(id) || id === '0' || id === '-1') return null;
  if (provider === 'imdb') return /^(?:tt|nm|co|ch|ev)\d{5,12}$/.exec(id)?.[0] ?? null;
  if (provider === 'isbn') return id.replaceAll('-', '').toUpperCase();
  return id;
}

const mostIds = 50;

/** Collects ids; the first of each provider counts. */
export type IdCollector = ReturnType<typeof createIdCollector>;

/** Creates an empty collector. */
export function createIdCollector() {
  const found = new Map<string, IdValue>();
  return {
    add(name: string, written: string | undefined): void {
      const provider = toProvider(name);
      const id = provider === null || written === undefined ? null : toId(provider, written);
      if (provider === null || id === null || found.has(provider)) return;
      if (found.size < mostIds) found.set(provider, { id });
    },
    ids: (): Ids => Object.fromEntries(found),
  };
}

/** The meaning of a bare `<id>`, by the kind of document: Kodi wrote the id of its scraper there. */
const bareIds: Readonly<Record<string, string>> = {
  movie: 'tmdb',
  tvshow: 'tvdb',
  episodedetails: 'tvdb',
};

/** The ids of an element: `uniqueid`, `id`, and elements that are named after a provider. */
export function idsOf(element: XmlElement): Ids {
  const { children } = element;
  if (!children.some(({ name }) => name === 'uniqueid' || name === 'id' || isOwnId(name)))
    return {};
  const collector = createIdCollector();
  const unique = children.filter(({ name }) => name === 'uniqueid');
  for (const child of unique.toSorted(byDefault)) {
    const type = child.attributes.get('type') ?? (child.text.startsWith('tt') ? 'imdb' : '');
    collector.add(type, child.text);
  }
  for (const { name, text } of children) {
    if (isOwnId(name)) collector.add(name, text);
  }
  for (const child of children) {
    if (child.name === 'id') addBareId(collector, child, bareIds[element.name]);
  }
  return collector.ids();
}

/** The id of a collection is not the film's. */
const isOwnId = (name: string): boolean =>
  providers.has(name) && providers.get(name) !== 'tmdb-collection';

const byDefault = (a: XmlElement, b: XmlElement): number =>
  Number(b.attributes.get('default') === 'true') - Number(a.attributes.get('default') === 'true');

/** `<id>tt0133093</id>`, `<id>603</id>`, `<id moviedb="imdb">…`, `<id IMDB="tt…" TMDB="603">`. */
function addBareId(collector: IdCollector, { attributes, text }: XmlElement, usual?: string): void {
  for (const [name, value] of attributes) {
    if (name === 'moviedb' || name === 'type') collector.add(value, text);
    else if (providers.has(name)) collector.add(name, value);
  }
  if (text.startsWith('tt')) collector.add('imdb', text);
  else if (attributes.size === 0 && usual !== undefined && /^\d+$/.test(text)) {
    collector.add(usual, text);
  }
}

/** Pages of providers, and the id in their address. Each pattern has a bounded length. */
const pages: readonly (readonly [provider: string, page: RegExp])[] = [
  ['imdb', /imdb\.com\/(?:[a-z]{2}\/)?title\/(tt\d{5,12})/i],
  ['tmdb', /themoviedb\.org\/(?:movie|tv)\/(\d{1,10})/i],
  ['tmdb-collection', /themoviedb\.org\/collection\/(\d{1,10})/i],
  ['tvdb', /thetvdb\.com\/[^\s"'<>]{0,100}?(?:[?&]id=|series\/|series_id=)(\d{1,10})/i],
  ['tvmaze', /tvmaze\.com\/shows\/(\d{1,10})/i],
  ['anidb', /anidb\.net\/(?:anime\/|a|perl-bin\/animedb\.pl\?show=anime&aid=)(\d{1,10})/i],
  ['anilist', /anilist\.co\/anime\/(\d{1,10})/i],
  ['mal', /myanimelist\.net\/anime\/(\d{1,10})/i],
  ['musicbrainz-artist', /musicbrainz\.org\/artist\/([\da-f-]{36})/i],
  ['musicbrainz-album', /musicbrainz\.org\/release\/([\da-f-]{36})/i],
  ['musicbrainz-release-group', /musicbrainz\.org\/release-group\/([\da-f-]{36})/i],
];

const maxSearched = 65_536;

/** The ids in addresses in the first 64 Ki characters of a text. */
export function idsInAddresses(text: string): Ids {
  const collector = createIdCollector();
  const start = text.slice(0, maxSearched);
  if (start.includes('/')) {
    for (const [provider, page] of pages) collector.add(provider, page.exec(start)?.[1]);
  }
  return collector.ids();
}
