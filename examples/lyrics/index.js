/**
 * Lyrics: adds lyrics of LRCLIB (https://lrclib.net/docs) to tracks.
 *
 * A hook must not ask the network, since each track that is read in waits for it. So the schedule asks
 * for a few tracks at a time and keeps the answers, and the hook gives what is kept. One file, no build.
 *
 * @typedef {import('@vitrine/plugin-api').Host} Host
 * @typedef {import('@vitrine/plugin-api').MediaItem} MediaItem
 */

const mostAtOnce = 20;
const pauseMs = 5 * 60_000;
const quietMs = 60_000;
const pageSize = 200;
const longestText = 200_000;

/** Thrown when LRCLIB cannot answer now: the rest waits for the next time. */
class Away extends Error {}

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' && value !== '' ? value.slice(0, 300) : null);

/**
 * The lyrics with times, else those without; `null` = it has none.
 *
 * @param {Host} host
 * @param {MediaItem} item
 */
async function lyricsOf(host, { title, metadata, playback }) {
  const artist = textOf(metadata['artist']) ?? textOf(metadata['albumArtist']);
  const album = textOf(metadata['album']);
  if (artist === null) return null;
  const asked = new URLSearchParams({ artist_name: artist, track_name: title });
  if (album !== null) asked.set('album_name', album);
  if (playback.duration > 0) asked.set('duration', String(Math.round(playback.duration)));
  const { status, body } = await host.net.fetch({ url: `https://lrclib.net/api/get?${asked}` });
  if (status === 404) return null;
  if (status !== 200) throw new Away(`LRCLIB answered ${status}.`);
  const { syncedLyrics, plainLyrics } = JSON.parse(body);
  const text = [syncedLyrics, plainLyrics].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return text === undefined || text.length > longestText ? null : text;
}

/**
 * Asks for tracks that were not asked for yet; whether some are left.
 *
 * @param {Host} host
 */
async function askForSome(host) {
  /** @type {Map<string, string[]>} items with new lyrics, by library */
  const found = new Map();
  let asked = 0;
  let cursor = /** @type {string | null} */ (null);
  try {
    do {
      /** @type {import('@vitrine/plugin-api').MediaPage} */
      const page = await host.media.list({
        type: 'music',
        limit: pageSize,
        ...(cursor !== null && { cursor }),
      });
      for (const item of page.items) {
        const key = `lyrics/${item.id}`;
        if ((await host.kv.get({ key })) !== null) continue;
        if (asked === mostAtOnce) return true;
        asked += 1;
        const text = await lyricsOf(host, item);
        await host.kv.set({ key, value: { text } });
        if (text !== null)
          found.set(item.libraryId, [...(found.get(item.libraryId) ?? []), item.id]);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return false;
  } finally {
    for (const [libraryId, itemIds] of found) {
      const payload = { itemIds, network: 'keep' };
      await host.jobs.enqueue({ type: 'refresh', libraryId, payload });
    }
  }
}

/** @type {import('@vitrine/plugin-api').PluginDefinition} */
export default {
  events: {
    'library.scan.completed': (_event, host) =>
      host.schedule.set({ name: 'ask', at: Date.now() + quietMs }),
  },
  methods: {
    'schedule.wake': async (_input, host) => {
      const isLeft = await askForSome(host).catch((/** @type {unknown} */ error) => {
        console.warn(String(error));
        return true;
      });
      if (isLeft) await host.schedule.set({ name: 'ask', at: Date.now() + pauseMs });
    },
  },
  hooks: {
    async 'pipeline.index.afterProcess'({ itemId }, host) {
      const kept = /** @type {{ text: string | null } | null} */ (
        await host.kv.get({ key: `lyrics/${itemId}` })
      );
      if (!kept?.text) return null;
      return {
        subtitles: [{ type: 'external', format: 'lrc', text: kept.text, source: 'lyrics' }],
      };
    },
  },
};
