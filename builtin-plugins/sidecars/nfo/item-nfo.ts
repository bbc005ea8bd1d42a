import type { Finding } from '../findings/finding.ts';
import type { Scene } from '../item/scene.ts';
import { readEpisodes } from './episode-nfo.ts';
import { readFilm } from './film-nfo.ts';
import { readNfo, rootOf } from './nfo-document.ts';

/** The contents of an item's own NFO: a film, one or several episodes, or only an address. */
export function readItemNfo({ kind }: Scene, text: string, path: string): Finding {
  const document = readNfo(text, path);
  const film = rootOf(document, 'movie', 'musicvideo');
  const episodes = document.roots.filter(({ name }) => name === 'episodedetails');
  const found =
    episodes.length > 0 ? readEpisodes(episodes) : film === undefined ? {} : readFilm(film);
  const ids = { ...document.ids, ...found.ids };
  return kind === 'film' || kind === 'episode' ? { ...found, ids } : { ids: document.ids };
}
