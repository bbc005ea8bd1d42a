/**
 * Subtitles: looks for subtitles of a film at OpenSubtitles (https://opensubtitles.stoplight.io).
 *
 * An action may take time and asks the network; a hook must not, since each film that is read in waits
 * for it. So the action keeps what it loaded, and the hook gives what is kept. One file, no build.
 *
 * @typedef {import('@vitrine/plugin-api').Host} Host
 * @typedef {import('@vitrine/plugin-api').MediaItem} MediaItem
 *
 * @typedef {object} Found
 * @property {string} language
 * @property {number} fileId
 * @property {boolean} isHearingImpaired
 *
 * @typedef {object} Kept
 * @property {string} text
 * @property {string} language
 * @property {boolean} isHearingImpaired
 */

const api = 'https://api.opensubtitles.com/api/v1';
const longestText = 1_000_000;
const mostLanguages = 10;

/** What an admin reads in place of an answer. */
class Refusal extends Error {}

/**
 * @param {Host} host
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(host, path, body) {
  const { status, body: text } = await host.net.fetch({
    url: `${api}${path}`,
    method: body ? 'POST' : 'GET',
    headers: { 'api-key': '{secret:apiKey}', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (status === 401 || status === 403) throw new Refusal('OpenSubtitles refuses the key.');
  if (status === 406 || status === 429)
    throw new Refusal('OpenSubtitles gives no more files for now.');
  if (status !== 200) throw new Refusal(`OpenSubtitles answered ${status}.`);
  return JSON.parse(text);
}

/**
 * The most loaded file of each language. Its answer is that of a stranger: what does not fit is left out.
 *
 * @param {Host} host
 * @param {string} imdb
 * @param {readonly string[]} languages
 * @returns {Promise<readonly Found[]>}
 */
async function search(host, imdb, languages) {
  const wanted = languages.map((one) => one.toLowerCase()).toSorted();
  const asked = `imdb_id=${Number(imdb.slice(2))}&languages=${wanted.join(',')}`;
  const { data } = await ask(host, `/subtitles?${asked}&order_by=download_count`);
  if (!Array.isArray(data)) throw new Refusal('OpenSubtitles gave no list.');
  /** @type {Map<string, Found>} */
  const found = new Map();
  for (const { attributes = {} } of data) {
    const language = String(attributes.language).toLowerCase();
    const fileId = attributes.files?.[0]?.file_id;
    if (!Number.isSafeInteger(fileId) || !wanted.includes(language) || found.has(language))
      continue;
    found.set(language, {
      language,
      fileId,
      isHearingImpaired: attributes.hearing_impaired === true,
    });
  }
  return [...found.values()];
}

/**
 * An address to load from ends within minutes, so the text itself is kept.
 *
 * @param {Host} host
 * @param {number} fileId
 */
async function load(host, fileId) {
  const { link } = await ask(host, '/download', { file_id: fileId, sub_format: 'srt' });
  const { status, body } = await host.net.fetch({ url: String(link), maxAge: 0 });
  if (status !== 200 || body.length > longestText)
    throw new Refusal('A file of OpenSubtitles could not be loaded.');
  return body;
}

/** @param {MediaItem} item */
function imdbOf({ metadata }) {
  const ids = /** @type {any} */ (metadata['ids']);
  const imdb = ids?.imdb;
  if (typeof imdb === 'string' && /^tt\d{1,12}$/.test(imdb)) return imdb;
  throw new Refusal('This film has no id of IMDb yet: identify it first.');
}

/** @type {import('@vitrine/plugin-api').PluginDefinition} */
export default {
  hooks: {
    async 'pipeline.index.afterProcess'({ itemId }, host) {
      const { entries } = await host.kv.scan({ prefix: `text/${itemId}/`, limit: 20 });
      if (entries.length === 0) return null;
      return {
        subtitles: entries.map(({ value }) => {
          const { text, language, isHearingImpaired } = /** @type {Kept} */ (value);
          const track = {
            type: /** @type {const} */ ('external'),
            format: 'srt',
            source: 'subtitles',
          };
          return { ...track, text, language, isHearingImpaired };
        }),
      };
    },
  },

  views: {
    'ui.item.detail.actions': () => [
      {
        type: 'action',
        slot: 'detail-actions',
        id: 'subtitles-find',
        label: { text: 'find' },
        rpcMethod: 'find',
      },
    ],
  },

  actions: {
    async find({ itemId }, host) {
      try {
        const item = await host.media.get({ itemId: String(itemId) });
        const { languages } = await host.config.get({});
        const wanted = /** @type {readonly string[]} */ (languages).slice(0, mostLanguages);
        const found = await search(host, imdbOf(item), wanted);
        for (const { fileId, ...about } of found) {
          const key = `text/${item.id}/${about.language}`;
          await host.kv.set({ key, value: { ...about, text: await load(host, fileId) } });
        }
        if (found.length > 0) {
          const payload = { itemIds: [item.id], network: 'keep' };
          await host.jobs.enqueue({ type: 'refresh', libraryId: item.libraryId, payload });
        }
        return { message: `Subtitles: ${found.map(({ language }) => language).join(', ') || '–'}` };
      } catch (error) {
        if (error instanceof Refusal) return { message: error.message };
        throw error;
      }
    },
  },
};
