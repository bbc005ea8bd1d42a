/** Words before (or after) the number of a season, as keys of tokens. */
export const seasonWords: ReadonlySet<string> = new Set(
  (
    'season seasons series sez sezony staffel staffeln saison saisons temporada temporadas temp tem stagione stagioni seizoen ' +
    'säsong säsonger sasong sesong sæson saeson sezon sezona sezonul sezóna série řada rada évad evad kausi ' +
    'tuotantokausi сезон сезона сезоны сезонов σεζόν σεζον κύκλος シーズン 시즌 الموسم موسم עונה सीज़न सीजन ' +
    'ซีซั่น ซีซัน mùa musim sæsoner sn se sezonas sezonu'
  ).split(' '),
);

/** Words before (or after) the number of an episode. */
export const episodeWords: ReadonlySet<string> = new Set(
  (
    'e ep eps epi episode episodes episodio episódio episodios épisode épisodes folge folgen aflevering afl avsnitt ' +
    'afsnit odcinek odc bölüm bolum rész resz jakso серия серии серий seria serii serija ser эпизод серія епізод επεισόδιο 에피소드 ' +
    'الحلقة حلقة פרק एपिसोड ตอน ตอนที่ tập tap capítulo capitulo cap díl dil epizóda epizoda episodul episod puntata puntate seriya серії сери osa jaksot'
  ).split(' '),
);

/** Folders with episodes outside of the seasons. */
export const specialsWords: ReadonlySet<string> = new Set(
  (
    'specials special sonderfolgen spéciaux speciaux especiales especiais speciali speciale spesial specialer ' +
    'specialafsnit odcinki specjalne спешлы спецвыпуски スペシャル 特典 特別編 sp ova ovas oad oads'
  ).split(' '),
);

/** Words between the two ends of a range of episodes. */
export const rangeWords: ReadonlySet<string> = new Set(
  'to and & bis à a al ao til till tot и по do'.split(' '),
);

/** Words between the number of an episode and the number of all. */
export const countWords: ReadonlySet<string> = new Set(
  'of из iz von de di van av z od sur från'.split(' '),
);

/** Folders that hold many works and have no name of a work. */
export const shelfWords: ReadonlySet<string> = new Set(
  [
    'series, serien, séries, serie, shows, tv shows, tv, tv series, tvshows, tv_shows, television, anime, animes, cartoons, movies',
    'films, filme, film, movie, video, videos, media, medias, downloads, downloads finished, complete, completed, incoming, torrents',
    'new, temp, tmp, postprocessing, mydata, data, documentaries, documentary, kids, music, musik, audiobooks, hörbücher, books',
    'comics, photos, pictures, backup, sorted, unsorted, library, public, utorrent, nas, share, mnt, home, public_html',
    'manga, mangas, manhwa, manhua, webtoons, graphic novels, light novels, ebooks, bds, bandes dessinées',
    'folder, collection, box set, boxset, other, misc, nosubstvshows, volumes, storage, sambashare, sort, seedbox',
  ]
    .join(', ')
    .split(', '),
);
