/** What docs/naming.md says, as files and what a server must make of them. */

export type LibraryType = 'movies' | 'tv' | 'music' | 'audiobooks' | 'books' | 'photos';

/** An item that a server must have. */
export interface NamedItem {
  readonly title: string;
  /** A part of its metadata. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The files that are its film, track, book or photo, in the order in which they play. */
  readonly main: readonly string[];
  /** Its trailers and other extras. */
  readonly extras: readonly string[];
  /** Texts beside them, by the name of their file. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** The items of one library. */
export interface NamedLibrary {
  readonly type: LibraryType;
  readonly items: readonly NamedItem[];
}

const item = (
  title: string,
  metadata: NamedItem['metadata'],
  main: string | readonly string[],
  extras: readonly string[] = [],
  beside: NamedItem['beside'] = {},
): NamedItem => ({ title, metadata, main: [main].flat(), extras, beside });

const of =
  (type: LibraryType) =>
  (...items: readonly NamedItem[]): NamedLibrary => ({ type, items });

const films = of('movies');
const series = of('tv');
const music = of('music');
const books = of('books');
const audiobooks = of('audiobooks');
const photos = of('photos');

const track = (
  title: string,
  [artist, album]: readonly [string, string],
  file: string,
  more = {},
) => item(title, { artist, album, ...more }, file);

const vale = ['Nora Vale', 'Low Tide'] as const;

const xmp = (title: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;

const takenOut = { overview: 'At the pier', takenAt: '2021-07-04T10:00:00Z' };
const takeout = JSON.stringify({
  title: 'IMG_1.jpg',
  description: 'At the pier',
  photoTakenTime: { timestamp: '1625392800' },
});

/** By the first cell of a row of the page, or by a sentence of it, word for word. */
export const naming: Readonly<Record<string, NamedLibrary>> = {
  '`Title (2009)/Title (2009).mkv`': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/Quiet Field (2009).mkv'),
  ),
  '`Title.2009.1080p.BluRay.x264-GROUP.mkv`': films(
    item(
      'Quiet Field',
      { year: 2009, resolution: '1080p', source: 'Blu-ray', releaseGroup: 'GROUP' },
      'Quiet.Field.2009.1080p.BluRay.x264-GROUP.mkv',
    ),
  ),
  "`Title (2009)/Title (2009) - Director's Cut.mkv`": films(
    item('Quiet Field', { year: 2009 }, [
      'Quiet Field (2009)/Quiet Field (2009).mkv',
      "Quiet Field (2009)/Quiet Field (2009) - Director's Cut.mkv",
    ]),
    item(
      'Low Tide',
      { year: 2010, edition: "Director's Cut" },
      "Low Tide (2010)/Low Tide (2010) {edition-Director's Cut}.mkv",
    ),
  ),
  '`Title (2009)/Title (2009) - cd1.avi`, `-part1`, `Disc 1/…`': films(
    item('Quiet Field', { year: 2009 }, [
      'Quiet Field (2009)/Quiet Field (2009) - cd1.avi',
      'Quiet Field (2009)/Quiet Field (2009) - cd2.avi',
    ]),
    item('Low Tide', { year: 2010 }, [
      'Low Tide (2010)/Low Tide (2010)-part1.mkv',
      'Low Tide (2010)/Low Tide (2010)-part2.mkv',
    ]),
    item('Red Barn', { year: 2011 }, [
      'Red Barn (2011)/Disc 1/Red Barn.mkv',
      'Red Barn (2011)/Disc 2/Red Barn.mkv',
    ]),
  ),
  '`Title (2009)/Trailers/…`, `Title-trailer.mkv`, `Featurettes/`, `SPs/`': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/Quiet Field (2009).mkv', [
      'Quiet Field (2009)/Featurettes/Making of.mkv',
      'Quiet Field (2009)/Quiet Field-trailer.mkv',
      'Quiet Field (2009)/SPs/Talk.mkv',
      'Quiet Field (2009)/Trailers/One.mkv',
    ]),
  ),
  '`Title (2009)/Plex Versions/Optimized for TV/…`': films(
    item('Quiet Field', { year: 2009 }, [
      'Quiet Field (2009)/Plex Versions/Optimized for TV/Quiet Field (2009).mkv',
      'Quiet Field (2009)/Quiet Field (2009).mkv',
    ]),
  ),
  // The disc itself says more; without its tables the longest title set and the longest stream count.
  '`Title (2009)/VIDEO_TS/…`, `Title (2009)/VTS_01_1.VOB`': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/VIDEO_TS/VTS_01_1.VOB'),
    item('Low Tide', { year: 2010 }, 'Low Tide (2010)/VTS_01_1.VOB'),
  ),
  '`Title (2009)/BDMV/STREAM/…`': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/BDMV/STREAM/00001.m2ts'),
  ),
  '`Title (2009)/Title (2009) - 2160p/BDMV/…`': films(
    item('Quiet Field', { year: 2009 }, [
      'Quiet Field (2009)/Quiet Field (2009) - 2160p/BDMV/STREAM/00001.m2ts',
      'Quiet Field (2009)/Quiet Field (2009).mkv',
    ]),
  ),
  '`Title (2009)/Extras/Bonus Disc/BDMV/…`': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/BDMV/STREAM/00001.m2ts', [
      'Quiet Field (2009)/Extras/Bonus Disc/BDMV/STREAM/00001.m2ts',
    ]),
  ),
  '`Title (2009) {imdb-tt1234567}`, `[tmdbid-123]`': films(
    item(
      'Quiet Field',
      { year: 2009, ids: { imdb: 'tt1234567' } },
      'Quiet Field (2009) {imdb-tt1234567}/Quiet Field (2009) {imdb-tt1234567}.mkv',
    ),
    item(
      'Low Tide',
      { year: 2010, ids: { tmdb: '123' } },
      'Low Tide (2010) [tmdbid-123]/Low Tide (2010).mkv',
    ),
  ),
  'So `Title (2009)/ttl-1080p.mkv` is `Title`.': films(
    item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/qfd-1080p.mkv'),
  ),
  'If both have the same title and another year, or another title and the same year, the folder wins; if both differ, the file does.':
    films(
      item('Quiet Field', { year: 2009 }, 'Quiet Field (2009)/Quiet Field (2008).mkv'),
      item('Low Tide', { year: 2010 }, 'Low Tide (2010)/Ebbe (2010).mkv'),
      item('Red Barn', { year: 2012 }, 'Old Mill (2011)/Red Barn (2012).mkv'),
    ),
  'A file that only abbreviates the title of its folder (`Quiet Field/QF.mkv`) has the title of the folder.':
    films(item('Quiet Field', {}, 'Quiet Field/QF.mkv')),
  'The folder of several films (`Title Trilogy (2009-2015)/`, `Title Collection/`, `Title 1-3/`) gives its files neither title nor year.':
    films(
      item('Harbour', { year: 2009 }, 'Harbour Trilogy (2009-2015)/Harbour (2009).mkv'),
      item('Harbour Returns', {}, 'Harbour Trilogy (2009-2015)/Harbour Returns.mkv'),
      item('Old Mill', { year: 2001 }, 'Mill Collection/Old Mill (2001).mkv'),
      item('Barn 2', { year: 2004 }, 'Barn 1-3/Barn 2 (2004).mkv'),
    ),
  'A folder of a version (`Title (2009)/Extended/`, `…/1080p/`) belongs to the film above it.':
    films(
      item('Quiet Field', { year: 2009 }, [
        'Quiet Field (2009)/Quiet Field (2009).mkv',
        'Quiet Field (2009)/Extended/Quiet Field (2009).mkv',
      ]),
      item('Low Tide', { year: 2010 }, [
        'Low Tide (2010)/1080p/Low Tide.mkv',
        'Low Tide (2010)/Low Tide (2010).mkv',
      ]),
    ),

  '`Series/Season 01/Series - S01E02 - Title.mkv`': series(
    item(
      'Lights Out',
      { series: 'Harbour', season: 1, episode: 2 },
      'Harbour/Season 01/Harbour - S01E02 - Lights Out.mkv',
    ),
  ),
  '`S01E01-E03`, `1x01-1x02`, `S01E01E02`': series(
    item(
      'Harbour S01E01',
      { season: 1, episode: 1, episodes: [1, 2, 3] },
      'Harbour/Harbour S01E01-E03.mkv',
    ),
    item(
      'Harbour S02E01',
      { season: 2, episode: 1, episodes: [1, 2] },
      'Harbour/Harbour 2x01-2x02.mkv',
    ),
    item(
      'Harbour S03E01',
      { season: 3, episode: 1, episodes: [1, 2] },
      'Harbour/Harbour S03E01E02.mkv',
    ),
  ),
  '`Series/Season 1/02 - Title.mkv`, `Series/S1/E02.mkv`': series(
    item(
      'Lights Out',
      { series: 'Harbour', season: 1, episode: 2 },
      'Harbour/Season 1/02 - Lights Out.mkv',
    ),
    item('Old Mill S01E02', { series: 'Old Mill', season: 1, episode: 2 }, 'Old Mill/S1/E02.mkv'),
  ),
  '`Series/Specials/…`, `S00E01`, `SP1`, `OVA`': series(
    item(
      'Behind the Pier',
      { series: 'Harbour', season: 0 },
      'Harbour/Specials/Behind the Pier.mkv',
    ),
    item('Harbour S00E01', { season: 0, episode: 1 }, 'Harbour/Harbour S00E01.mkv'),
    item('Old Mill S00E01', { season: 0, episode: 1 }, '[Group] Old Mill - SP1.mkv'),
    item('Old Mill S00', { season: 0 }, '[Group] Old Mill - OVA.mkv'),
  ),
  '`Series - 2021-03-04 - Guest.mkv`': series(
    item(
      'Ann Lowe',
      { series: 'Harbour', airDate: '2021-03-04' },
      'Harbour/Harbour - 2021-03-04 - Ann Lowe.mkv',
    ),
  ),
  '`[Group] Series - 05v2 [1080p][1A2B3C4D].mkv`': series(
    item(
      'Harbour E05',
      { series: 'Harbour', absoluteEpisode: 5, releaseGroup: 'Group' },
      '[Group] Harbour - 05v2 [1080p][1A2B3C4D].mkv',
    ),
  ),
  '`[Group] Series S2 - 05`, `Series 2nd Season - 05`': series(
    item(
      'Harbour S02E05',
      { series: 'Harbour', season: 2, episode: 5 },
      '[Group] Harbour S2 - 05.mkv',
    ),
    item(
      'Old Mill S02E05',
      { series: 'Old Mill', season: 2, episode: 5 },
      '[Group] Old Mill 2nd Season - 05.mkv',
    ),
  ),
  '`[Group] Series - 01-12 [BD 1080p]`': series(
    item(
      'Harbour E01',
      {
        series: 'Harbour',
        absoluteEpisode: 1,
        absoluteEpisodes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      },
      '[Group] Harbour - 01-12 [BD 1080p].mkv',
    ),
  ),
  '`Series - 13.5`, `S01E03.5 - Recap`, `[Group] Series - 07.5`': series(
    item('Harbour S01E03', { episode: 3 }, 'Harbour/Harbour S01E03.mkv'),
    item('Recap', { season: 1, episode: 3.5 }, 'Harbour/Harbour S01E03.5 - Recap.mkv'),
    item('Old Mill E13.5', { series: 'Old Mill' }, 'Old Mill/Old Mill - 13.5.mkv'),
    item('Red Barn E07.5', { absoluteEpisode: 7.5 }, '[Group] Red Barn - 07.5.mkv'),
  ),
  '`[Group] Series - NCOP1`, `Creditless Ending`, `Extras/`, `Season 1/Clips/Clip 07`': series(
    item('Harbour E01', { absoluteEpisode: 1 }, 'Harbour/[Group] Harbour - 01.mkv'),
    item('Harbour', { series: 'Harbour' }, [], ['Harbour/[Group] Harbour - NCOP1.mkv']),
    item('Harbour', { series: 'Harbour' }, [], ['Harbour/[Group] Harbour - Creditless Ending.mkv']),
    item('Bloopers', { series: 'Harbour' }, [], ['Harbour/Extras/Bloopers.mkv']),
    item(
      'Clip 07',
      { series: 'Harbour', episode: undefined },
      [],
      ['Harbour/Season 1/Clips/Clip 07.mkv'],
    ),
  ),
  'An id in the folder of a series (`Series (2009) [tvdbid-1234]`, `{tmdb-1234}`) is the id of the series: lookups ask for it, not for the name.':
    series(
      item(
        'Harbour S01E01',
        { series: 'Harbour', season: 1, episode: 1 },
        'Harbour (2009) [tvdbid-1234]/Harbour S01E01.mkv',
      ),
    ),
  'A number in the name of the series does not count as an episode where its folder has that name (`24/24 - 03`).':
    series(item('24 E03', { series: '24' }, '24/24 - 03.mkv')),
  'The folder of a series names the series of all files in it.': series(
    item('Harbour S01E01', { series: 'Harbour' }, 'Harbour/Season 1/Harbor S01E01.mkv'),
    item('Harbour S01E02', { series: 'Harbour' }, 'Harbour/Season 1/Haven S01E02.mkv'),
  ),
  'The words for season and episode are known in more than twenty languages.': series(
    ...[
      'Staffel 1 Folge',
      'Saison 1 Épisode',
      'Temporada 1 Episodio',
      'Stagione 1 Episodio',
      'Seizoen 1 Aflevering',
      'Sezon 1 Odcinek',
      'Сезон 1 Серия',
      'Säsong 1 Avsnitt',
      'Sæson 1 Afsnit',
      'Kausi 1 Jakso',
    ].map((words, at) =>
      item(
        `Harbour S01E0${at}`,
        { series: 'Harbour', season: 1, episode: at },
        `Harbour/Harbour ${words} ${at}.mkv`,
      ),
    ),
  ),

  '`Artist/Album/01 - Title.flac`': music(
    track('Harbour', vale, 'Nora Vale/Low Tide/01 - Harbour.flac', { track: 1 }),
  ),
  '`Artist/2008 - Album/…`, `Album (2008)`, `[2008] Album`': music(
    track('Harbour', vale, 'Nora Vale/2008 - Low Tide/01 - Harbour.flac', { year: 2008 }),
    track('Mill', ['Nora Vale', 'Red Barn'], 'Nora Vale/Red Barn (2009)/01 - Mill.flac', {
      year: 2009,
    }),
    track('Snow', ['Nora Vale', 'Quiet Field'], 'Nora Vale/[2010] Quiet Field/01 - Snow.flac', {
      year: 2010,
    }),
  ),
  '`Artist - Album (2008) [FLAC]/…`, `Artist - 2008 - Album/…`': music(
    track('Harbour', vale, 'Nora Vale - Low Tide (2008) [FLAC]/01 - Harbour.flac', { year: 2008 }),
    track('Mill', ['Nora Vale', 'Red Barn'], 'Nora Vale - 2009 - Red Barn/01 - Mill.flac', {
      year: 2009,
    }),
  ),
  '`Album/CD1/01 - Title`, `Album (Disc 2)/…`, `Digital Media 02/…`': music(
    track('Harbour', vale, 'Nora Vale/Low Tide/CD1/01 - Harbour.flac', { disc: 1, track: 1 }),
    track('Pier', vale, 'Nora Vale/Low Tide (Disc 2)/01 - Pier.flac', { disc: 2, track: 1 }),
    track('Snow', vale, 'Nora Vale/Low Tide/Digital Media 03/01 - Snow.flac', {
      disc: 3,
      track: 1,
    }),
  ),
  '`1-01 Title`, `101 Title`, `CD1 - 01 - Title`': music(
    track('Harbour', vale, 'Nora Vale/Low Tide/2-01 Harbour.flac', { disc: 2, track: 1 }),
    track('Mill', ['Nora Vale', 'Red Barn'], 'Nora Vale/Red Barn/101 Mill.flac', {
      disc: 1,
      track: 1,
    }),
    track('Field', ['Nora Vale', 'Red Barn'], 'Nora Vale/Red Barn/201 Field.flac', {
      disc: 2,
      track: 1,
    }),
    track('Snow', ['Nora Vale', 'Quiet Field'], 'Nora Vale/Quiet Field/CD1 - 01 - Snow.flac', {
      disc: 1,
      track: 1,
    }),
  ),
  '`Various Artists/Album/01 Artist - Title`, `VA - Album/…`': music(
    track('Harbour', vale, 'Various Artists/Low Tide/01 Nora Vale - Harbour.flac', {
      albumArtist: 'Various Artists',
    }),
    track('Mill', ['Ben Oak', 'Red Barn'], 'VA - Red Barn/01 Ben Oak - Mill.flac', {
      albumArtist: 'Various Artists',
    }),
  ),
  '`Artist/Title.mp3`, `Artist/Artist - Title.mp3`': music(
    item('Harbour', { artist: 'Nora Vale' }, 'Nora Vale/Harbour.mp3'),
    item('Pier', { artist: 'Nora Vale' }, 'Nora Vale/Nora Vale - Pier.mp3'),
  ),
  '`Artist/Singles/…`, `Artist/Albums/2008 - Album/…`': music(
    track('Harbour', vale, 'Nora Vale/Singles/Low Tide/01 - Harbour.flac'),
    track('Mill', ['Nora Vale', 'Red Barn'], 'Nora Vale/Albums/2008 - Red Barn/01 - Mill.flac'),
  ),
  '`Rock/Artist/…`, `Lossless/Artist - Album/…`, `1998/…`': music(
    track('Harbour', vale, 'Rock/Nora Vale/Low Tide/01 - Harbour.flac'),
    track('Mill', ['Ben Oak', 'Red Barn'], 'Lossless/Ben Oak - Red Barn/01 - Mill.flac'),
    track('Snow', ['Ann Lowe', 'Quiet Field'], '1998/Ann Lowe/Quiet Field/01 - Snow.flac'),
  ),

  '`Series/Series v03 (2019).cbz`, `Vol. 3`, `Tome 3`, `第3巻`, `1.5권`': books(
    item(
      'Harbour #3',
      { bookSeries: 'Harbour', volume: 3, year: 2019 },
      'Harbour/Harbour v03 (2019).cbz',
    ),
    item('Old Mill #3', { bookSeries: 'Old Mill', volume: 3 }, 'Old Mill/Old Mill Vol. 3.cbz'),
    item('Red Barn #3', { bookSeries: 'Red Barn', volume: 3 }, 'Red Barn/Red Barn Tome 3.cbz'),
    item('静原 #3', { bookSeries: '静原', volume: 3 }, '静原/静原 第3巻.cbz'),
    item('나루 이야기 #1.5', { volume: 1.5 }, '나루 이야기/나루 이야기 1.5권.cbz'),
  ),
  '`Series c012.cbz`, `Ch.12.5`, `Chapter 12`, `第12話`': books(
    item('Harbour ch. 12', { bookSeries: 'Harbour', chapter: 12 }, 'Harbour/Harbour c012.cbz'),
    item(
      'Old Mill ch. 12.5',
      { bookSeries: 'Old Mill', chapter: 12.5 },
      'Old Mill/Old Mill Ch.12.5.cbz',
    ),
    item('Red Barn ch. 12', { bookSeries: 'Red Barn' }, 'Red Barn/Red Barn Chapter 12.cbz'),
    item('静原 ch. 12', { bookSeries: '静原', chapter: 12 }, '静原/静原 第12話.cbz'),
  ),
  '`Series Vol. 3 Ch. 12 - Title.cbz`, `S02 014`': books(
    item(
      'Lights Out',
      { bookSeries: 'Harbour', volume: 3, chapter: 12 },
      'Harbour/Harbour Vol. 3 Ch. 12 - Lights Out.cbz',
    ),
    item(
      'Old Mill #2 ch. 14',
      { bookSeries: 'Old Mill', volume: 2, chapter: 14 },
      'Old Mill/Old Mill S02 014.cbz',
    ),
  ),
  '`Series 012 (of 24) (2012).cbz`, `#12`, `Issue 12`, `No. 12`': books(
    item(
      'Harbour #12',
      { bookSeries: 'Harbour', volume: 12, year: 2012 },
      'Harbour/Harbour 012 (of 24) (2012).cbz',
    ),
    item('Old Mill #12', { bookSeries: 'Old Mill', volume: 12 }, 'Old Mill/Old Mill #12.cbz'),
    item('Red Barn #12', { bookSeries: 'Red Barn', volume: 12 }, 'Red Barn/Red Barn Issue 12.cbz'),
    item('Low Tide #12', { bookSeries: 'Low Tide', volume: 12 }, 'Low Tide/Low Tide No. 12.cbz'),
  ),
  '`Series v01-v03`, `c101-103`': books(
    item('Harbour #1', { bookSeries: 'Harbour', volume: 1 }, 'Harbour/Harbour v01-v03.cbz'),
    item(
      'Old Mill ch. 101',
      { bookSeries: 'Old Mill', chapter: 101 },
      'Old Mill/Old Mill c101-103.cbz',
    ),
  ),
  '`Series SP01`, `Series - Omake`': books(
    item('Harbour SP01', { bookSeries: 'Harbour', volume: undefined }, 'Harbour/Harbour SP01.cbz'),
    item(
      'Old Mill - Omake',
      { bookSeries: 'Old Mill', volume: undefined },
      'Old Mill/Old Mill - Omake.cbz',
    ),
  ),
  '`[Group] Series v03 (Digital) (Group).cbz`': books(
    item(
      'Harbour #3',
      { bookSeries: 'Harbour', volume: 3 },
      '[Group] Harbour v03 (Digital) (Group).cbz',
    ),
  ),
  '`Author/Series/01 - Title.epub`': books(
    item(
      'Low Tide',
      { author: 'Nora Vale', bookSeries: 'Harbour', volume: 1 },
      'Nora Vale/Harbour/01 - Low Tide.epub',
    ),
  ),
  '`Author - Series 02 - Title.epub`, `Author - Title`': books(
    item(
      'Low Tide',
      { author: 'Nora Vale', bookSeries: 'Harbour', volume: 2 },
      'Nora Vale - Harbour 02 - Low Tide.epub',
    ),
    item('Red Barn', { author: 'Ben Oak' }, 'Ben Oak - Red Barn.epub'),
  ),
  '`Series/Series v03.epub`': books(
    item(
      'Harbour #3',
      { bookSeries: 'Harbour', volume: 3, author: undefined },
      'Harbour/Harbour v03.epub',
    ),
  ),

  '`Author/Title/01 - Chapter 1.mp3`, `Title (1 of 12).mp3`': audiobooks(
    item('Low Tide', { author: 'Nora Vale' }, [
      'Nora Vale/Low Tide/01 - Chapter 1.mp3',
      'Nora Vale/Low Tide/02 - Chapter 2.mp3',
      'Nora Vale/Low Tide/10 - Chapter 10.mp3',
    ]),
    item('Red Barn', { author: 'Ben Oak' }, [
      'Ben Oak/Red Barn/Red Barn (1 of 12).mp3',
      'Ben Oak/Red Barn/Red Barn (2 of 12).mp3',
    ]),
  ),
  '`Author/Series/Book 2 - Title {Narrator}/…`': audiobooks(
    item(
      'Low Tide',
      { author: 'Nora Vale', narrator: 'Ann Lowe', bookSeries: 'Harbour', volume: 2 },
      'Nora Vale/Harbour/Book 2 - Low Tide {Ann Lowe}/01.mp3',
    ),
  ),
  '`Author - Title (Unabridged)/…`': audiobooks(
    item('Low Tide', { author: 'Nora Vale' }, 'Nora Vale - Low Tide (Unabridged)/Low Tide.mp3'),
  ),
  '`Author/Title/CD 2/03.mp3`, `Title/Title (Disc 2)/03.mp3`': audiobooks(
    item('Low Tide', { author: 'Nora Vale' }, [
      'Nora Vale/Low Tide/CD 1/01.mp3',
      'Nora Vale/Low Tide/CD 1/03.mp3',
      'Nora Vale/Low Tide/CD 2/01.mp3',
      'Nora Vale/Low Tide/CD 2/03.mp3',
    ]),
    item('Red Barn', {}, [
      'Ben Oak/Red Barn/Red Barn (Disc 1)/01.mp3',
      'Ben Oak/Red Barn/Red Barn (Disc 1)/02.mp3',
      'Ben Oak/Red Barn/Red Barn (Disc 2)/01.mp3',
    ]),
  ),

  'The day (`takenAt`) is what the camera wrote, else a date in the name (`IMG_20210704_120000.jpg`).':
    photos(
      item('IMG_20210704_120000', { takenAt: '2021-07-04', year: 2021 }, 'IMG_20210704_120000.jpg'),
    ),
  'The year is that of the day, or comes from a folder (`2021/Summer`).': photos(
    item('DSC1', { year: 2021, album: 'Summer' }, '2021/Summer/DSC1.jpg'),
  ),

  '`IMG_1.HEIC` with `IMG_1.MOV`, `.jpg` with `.mp4`': photos(
    item('IMG_1', {}, 'One/IMG_1.jpg', ['One/IMG_1.mp4']),
  ),
  '`IMG_1.HEIC` with `IMG_1.JPG`': photos(item('IMG_1', {}, ['One/IMG_1.HEIC', 'One/IMG_1.JPG'])),
  '`IMG_1.MOV` alone': photos(item('IMG_1', {}, 'One/IMG_1.MOV')),
  '`IMG_1.jpg` with `IMG_1.png`, `.dng`, `.mkv`': photos(
    item('IMG_1', {}, 'One/IMG_1.jpg'),
    item('IMG_1', {}, 'One/IMG_1.mkv'),
  ),
  '`IMG_1.jpg.xmp`, `IMG_1.xmp`': photos(
    item('A pier', {}, 'One/IMG_1.jpg', [], { 'One/IMG_1.jpg.xmp': xmp('A pier') }),
    item('A barn', {}, 'One/IMG_2.jpg', [], { 'One/IMG_2.xmp': xmp('A barn') }),
  ),
  '`IMG_1.jpg.json`, `IMG_1.jpg.supplemental-metadata.json`': photos(
    item('IMG_1', takenOut, 'One/IMG_1.jpg', [], { 'One/IMG_1.jpg.json': takeout }),
    item('IMG_2', takenOut, 'One/IMG_2.jpg', [], {
      'One/IMG_2.jpg.supplemental-metadata.json': takeout,
    }),
  ),
  '`IMG_1.jpg(1).json`, `IMG_1.jpg.supplemental-metadata(1).json`': photos(
    item('IMG_1(1)', takenOut, 'One/IMG_1(1).jpg', [], { 'One/IMG_1.jpg(1).json': takeout }),
    item('IMG_2(1)', takenOut, 'One/IMG_2(1).jpg', [], {
      'One/IMG_2.jpg.supplemental-metadata(1).json': takeout,
    }),
  ),
  '`IMG_1.jpg.suppl.json`, a name cut at 46 characters': photos(
    item('IMG_1', takenOut, 'One/IMG_1.jpg', [], { 'One/IMG_1.jpg.suppl.json': takeout }),
  ),
  '`IMG_1.jpg.json` with `IMG_1-edited.jpg`': photos(
    item('IMG_1', takenOut, 'One/IMG_1.jpg', [], { 'One/IMG_1.jpg.json': takeout }),
    item('IMG_1-edited', takenOut, 'One/IMG_1-edited.jpg'),
  ),
};
