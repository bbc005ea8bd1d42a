/**
 * Film index: an indexer that asks a catalogue on the network.
 *
 * The server calls it in the stage `full`, when the name, the tags and the sidecars of a file have been
 * read. It searches for candidates, takes the best one with a confidence, and returns the catalogue's data.
 * Files that it could not ask about now are in `later`; the server asks again. One file, no build.
 *
 * @typedef {import('@vitrine/plugin-api').Host} Host
 * @typedef {import('@vitrine/plugin-api').Identification} Identification
 * @typedef {import('@vitrine/plugin-api').IndexCandidate} IndexCandidate
 * @typedef {import('@vitrine/plugin-api').IndexFile} IndexFile
 *
 * @typedef {object} Question the search
 * @property {string} title
 * @property {number | undefined} [year]
 * @property {string | undefined} [artist]
 *
 * @typedef {Record<string, unknown>} Entry one entry of the catalogue
 * @typedef {{entry: Entry, confidence: number}} Candidate
 * @typedef {(path: string) => Promise<Entry | null>} Ask
 */

/** The catalogue's name for the works of each type of library. */
const shelves = { movies: 'films', tv: 'series', music: 'albums' };

/** Error codes of the host that mean: try later. */
const away = ['net_unreachable', 'net_timeout', 'quota_exceeded', 'overloaded'];

/** The catalogue is reachable and cannot answer now. */
class NotNow extends Error {}

/**
 * Returns a function that asks the catalogue. `null` = it has no such entry.
 *
 * @param {Host} host
 * @returns {Promise<Ask>}
 */
async function catalogue(host) {
  const { baseUrl, apiKey, keepDays } = await host.config.get({});
  if (typeof baseUrl !== 'string' || baseUrl === '') {
    throw new Error('Enter the address of the catalogue in the configuration of this plugin.');
  }
  const headers = typeof apiKey === 'string' ? { 'x-api-key': apiKey } : {};
  const maxAge = Number(keepDays) * 86_400;
  return async (path) => {
    const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
    const { status, body } = await host.net.fetch({ url, headers, maxAge });
    if (status === 404) return null;
    if (status === 429 || status >= 500) throw new NotNow(`The catalogue answers ${status}.`);
    if (status !== 200) throw new Error(`The catalogue answers ${status}: is the API key right?`);
    return JSON.parse(body);
  };
}

/** @param {string} text */
const fold = (text) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/&/g, ' and ')
    .replace(/^(the|a|an|der|die|das|le|la|les|el)\s+/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * How similar two titles are, 0 to 1: the share of their common letter pairs.
 *
 * @param {string} one
 * @param {string} other
 */
function likeness(one, other) {
  const [a, b] = [fold(one), fold(other)];
  if (a === b) return 1;
  const [pairs, rest] = [pairsOf(a), pairsOf(b)];
  const total = pairs.length + rest.length;
  let common = 0;
  for (const pair of pairs) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    rest.splice(at, 1);
    common += 1;
  }
  return total === 0 ? 0 : (2 * common) / total;
}

/** @param {string} text */
function pairsOf(text) {
  const short = text.slice(0, 200);
  return Array.from({ length: Math.max(0, short.length - 1) }, (_, at) => short.slice(at, at + 2));
}

/**
 * The factor for the years: the same, adjacent (a premiere at a festival), or another film.
 *
 * @param {number | undefined} wanted
 * @param {unknown} found
 */
function yearFactor(wanted, found) {
  if (wanted === undefined || typeof found !== 'number') return 0.9;
  const distance = Math.abs(wanted - found);
  if (distance === 0) return 1;
  return distance === 1 ? 0.9 : Math.max(0.2, 0.7 - distance * 0.1);
}

/** @param {unknown} value */
const texts = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/**
 * The confidence of an entry, 0 to 1.
 *
 * @param {Question} question
 * @param {Entry} entry
 */
function confidence({ title, year, artist }, entry) {
  const names = [entry.title, entry.originalTitle, ...texts(entry.otherTitles)];
  const best = Math.max(...texts(names).map((name) => likeness(title, name)), 0);
  const byArtist =
    artist === undefined || typeof entry.artist !== 'string' ? 1 : likeness(artist, entry.artist);
  return Math.round(best * yearFactor(year, entry.year) * (0.5 + byArtist / 2) * 100) / 100;
}

/**
 * The candidates for a search, best first.
 *
 * @param {string} shelf
 * @param {Question} question
 * @param {Ask} ask
 * @returns {Promise<Candidate[]>}
 */
async function candidates(shelf, question, ask) {
  const found = await ask(`/${shelf}?q=${encodeURIComponent(question.title)}`);
  const entries = Array.isArray(found?.results) ? found.results : [];
  return entries
    .map((entry) => ({ entry, confidence: confidence(question, entry) }))
    .sort((one, other) => other.confidence - one.confidence);
}

/**
 * The best of them. Of two equal ones each may be wrong, so neither gets a high confidence.
 *
 * @param {Candidate[]} found
 * @returns {Candidate | null}
 */
function choose([first, second]) {
  if (first === undefined || first.confidence < 0.3) return null;
  const isClear = second === undefined || first.confidence - second.confidence > 0.05;
  return isClear ? first : { ...first, confidence: Math.min(first.confidence, 0.5) };
}

/** @param {unknown} value */
const known = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** @param {unknown} value */
const number = (value) => (typeof value === 'number' ? value : undefined);

/**
 * The search for a file: a film by its title, an episode by its series, a track by its album.
 *
 * @param {string} libraryType
 * @param {IndexFile} file
 * @returns {Question | null}
 */
function questionOf(libraryType, { known: facts, tags }) {
  const metadata = facts?.metadata ?? {};
  const year = number(metadata.year);
  if (libraryType === 'tv') {
    const title = known(metadata.series);
    return title === undefined ? null : { title };
  }
  if (libraryType === 'music') {
    const title = known(metadata.album) ?? known(tags?.album);
    const artist = known(metadata.albumArtist) ?? known(metadata.artist);
    return title === undefined ? null : { title, year, artist };
  }
  return facts === undefined ? null : { title: facts.title, year };
}

/**
 * An object without empty values.
 *
 * @param {Record<string, unknown>} fields
 */
const present = (fields) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );

/**
 * Entities by role, from an entry's people, genres and studios.
 *
 * @param {Entry} entry
 * @returns {NonNullable<Identification['entities']>}
 */
function entitiesOf(entry) {
  /** @type {Record<string, any[]>} */
  const roles = {};
  const add = (/** @type {string} */ role, /** @type {object} */ entity) => {
    roles[role] = [...(roles[role] ?? []), { status: 'complete', source: 'film-index', ...entity }];
  };
  for (const person of Array.isArray(entry.people) ? entry.people : []) {
    add(person.role, {
      name: person.name,
      type: 'person',
      ...(person.id && { ids: { 'film-index': { id: person.id } } }),
      ...(person.character && { metadata: { character: person.character } }),
    });
  }
  for (const name of texts(entry.genres)) add('genre', { name, type: 'genre' });
  for (const name of texts(entry.studios)) add('studio', { name, type: 'studio' });
  return roles;
}

/**
 * @param {Entry} entry
 * @returns {NonNullable<Identification['assets']>}
 */
function assetsOf(entry) {
  const images = Array.isArray(entry.images) ? entry.images : [];
  return images.map(({ type, url }) => ({ type, uri: url, source: 'film-index' }));
}

/**
 * The data of an entry, together with the part of it that the file is (an episode, a track).
 *
 * @param {Candidate} candidate
 * @param {Entry} [part]
 * @returns {Identification}
 */
function toIdentification({ entry, confidence }, part) {
  const { id, title, originalTitle, year, overview, genres, rating, certification, ids } = entry;
  const whole = { originalTitle, year, overview, genres, rating, certification };
  const isPart = part !== undefined;
  const fields = isPart
    ? { overview: part.overview, airDate: part.airDate, rating: part.rating }
    : whole;
  const source = isPart ? part : entry;
  return {
    title: String(source.title ?? title),
    metadata: {
      ...present(fields),
      ids: { ...(typeof ids === 'object' && ids), 'film-index': String(source.id ?? id) },
    },
    entities: entitiesOf({
      ...entry,
      ...(isPart && part.people !== undefined && { people: part.people }),
    }),
    assets: assetsOf(entry),
    confidence,
    match: { id: String(id) },
  };
}

/**
 * The path of the part of an entry that a file is; `undefined` for a film.
 *
 * @param {string} libraryType
 * @param {IndexFile} file
 */
function partPath(libraryType, { known: facts, tags }) {
  const { season, episode, disc, track } = facts?.metadata ?? {};
  if (libraryType === 'tv' && number(episode) !== undefined)
    return `/seasons/${number(season) ?? 1}/episodes/${episode}`;
  const place = number(track) ?? number(tags?.track);
  return libraryType === 'music' && place !== undefined
    ? `/discs/${number(disc) ?? 1}/tracks/${place}`
    : undefined;
}

/**
 * What one file is, or `null`.
 *
 * @param {'movies' | 'tv' | 'music'} libraryType
 * @param {IndexFile} file
 * @param {Ask} ask
 * @returns {Promise<Identification | null>}
 */
async function identify(libraryType, file, ask) {
  const shelf = shelves[libraryType];
  const question = questionOf(libraryType, file);
  const chosen = file.match
    ? { entry: { id: file.match.id }, confidence: 1 }
    : question && choose(await candidates(shelf, question, ask));
  if (!chosen) return null;
  const place = `/${shelf}/${encodeURIComponent(String(chosen.entry.id))}`;
  const entry = await ask(place);
  if (entry === null) return null;
  const path = partPath(libraryType, file);
  const part = path === undefined ? null : await ask(`${place}${path}`);
  const whole = { ...chosen, entry };
  if (libraryType === 'movies') return toIdentification(whole);
  return part === null ? null : toIdentification(whole, part);
}

/** @param {unknown} error */
const isAway = (error) =>
  error instanceof NotNow ||
  (error instanceof Error && 'code' in error && away.includes(String(error.code)));

/**
 * @param {string} type
 * @returns {type is 'movies' | 'tv' | 'music'}
 */
const isShelved = (type) => Object.hasOwn(shelves, type);

/** @type {import('@vitrine/plugin-api').PluginDefinition} */
export default {
  methods: {
    'indexer.supports': ({ libraryType }) => isShelved(libraryType),

    async 'indexer.index'({ libraryType, files }, host) {
      if (!isShelved(libraryType)) return { results: files.map(() => null) };
      const ask = await catalogue(host);
      /** @type {number[]} */
      const later = [];
      const one = async (/** @type {IndexFile} */ file, /** @type {number} */ place) => {
        try {
          return await identify(libraryType, file, ask);
        } catch (error) {
          if (!isAway(error)) throw error;
          later.push(place);
          return null;
        }
      };
      const results = await Promise.all(files.map(one));
      return { results, later };
    },

    async 'indexer.search'({ libraryType, query, year, metadata, limit }, host) {
      if (!isShelved(libraryType)) return { candidates: [] };
      const artist = known(metadata?.albumArtist) ?? known(metadata?.artist);
      const question = { title: query, year, ...(libraryType === 'music' && { artist }) };
      const found = await candidates(shelves[libraryType], question, await catalogue(host));
      return {
        candidates: found.slice(0, limit).map(({ entry, confidence }) => ({
          id: String(entry.id),
          title: String(entry.title),
          confidence,
          ...present({
            year: number(entry.year),
            overview: known(entry.overview),
            url: known(entry.url),
            imageUrl: known(entry.image),
          }),
        })),
      };
    },
  },
};
