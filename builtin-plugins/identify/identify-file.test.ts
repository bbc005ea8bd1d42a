import { describe, expect, test } from 'vitest';
import type { Identification } from '../../plugin-api/index.ts';
import { createIdentifier } from './identify-file.ts';

const read = (libraryType: string, path: string): Identification => {
  const identify = createIdentifier(libraryType, 2026);
  if (identify === undefined) throw new Error(`no reader for ${libraryType}`);
  return identify(path);
};

/** What was read from a name, on one line: the title and the metadata. */
const readName = (libraryType: string, path: string): Record<string, unknown> => {
  const { title, metadata } = read(libraryType, path);
  return { title, ...metadata };
};

describe('films', () => {
  test.each([
    ['Quiet Harbour (1987)/Quiet Harbour (1987).mkv', { title: 'Quiet Harbour', year: 1987 }],
    ['Quiet Harbour 1987.avi', { title: 'Quiet Harbour', year: 1987 }],
    ['1917 (2019)/1917 (2019) [1080p].mkv', { title: '1917', year: 2019, resolution: '1080p' }],
    ['2012.mkv', { title: '2012' }],
    ['Blade Walker 2049 (2017).mkv', { title: 'Blade Walker 2049', year: 2017 }],
    ['The.Summer.of.1942.mkv', { title: 'The Summer of 1942' }],
    ['[REC] (2007).mkv', { title: '[REC]', year: 2007 }],
    ['S.W.A.T. Diaries (2003).mkv', { title: 'S.W.A.T. Diaries', year: 2003 }],
    ['Ｆｕｌｌ Ｄｒｅａｍｓ （１９９９）.mkv', { title: 'Ｆｕｌｌ Ｄｒｅａｍｓ', year: 1999 }],
    ['千年の庭 (1984)/千年の庭 (1984).mkv', { title: '千年の庭', year: 1984 }],
    ['مدينة الملح (2001).mkv', { title: 'مدينة الملح', year: 2001 }],
    ['Quiet Harbour {imdb-tt0123456}.mkv', { title: 'Quiet Harbour', ids: { imdb: 'tt0123456' } }],
  ])('%s', (path, expected) => {
    expect(readName('movies', path)).toEqual(expected);
  });

  test('reads a release: resolution, source and group, without their words in the title', () => {
    const path = 'Quiet.Harbour.1987.REMASTERED.720p.BluRay.DTS-HD.MA.5.1.x264-NOVA.mkv';

    expect(readName('movies', path)).toEqual({
      title: 'Quiet Harbour',
      year: 1987,
      edition: 'Remastered',
      resolution: '720p',
      source: 'Blu-ray',
      releaseGroup: 'NOVA',
      identify: { videoCodec: 'H.264', audioCodec: 'DTS-HD' },
    });
  });

  test.each(['Pierrot le Fou', 'The Final Cut', 'Uncut Gems', 'Latino', 'Real Steel', 'It', 'Red'])(
    'keeps the title %s, although its words have other meanings',
    (title) => {
      expect(readName('movies', `${title} (1999).mkv`)).toEqual({ title, year: 1999 });
    },
  );

  test('keeps words that end a title and might describe the release', () => {
    expect(readName('movies', 'The Thin Red Line (1998).mkv')['title']).toBe('The Thin Red Line');
    expect(readName('movies', 'The.French.Lesson.1080p.WEB-DL.mkv')['title']).toBe(
      'The French Lesson',
    );
    expect(readName('movies', 'Mad Max 1080p.mkv')['title']).toBe('Mad Max');
  });

  test.each([
    ['Quiet Harbour (1987) {edition-Director’s Cut}.mkv', 'Director’s Cut'],
    ['Quiet.Harbour.1987.Directors.Cut.1080p.mkv', "Director's Cut"],
    ['Quiet Harbour EXTENDED (1987).mkv', 'Extended'],
    ['Quiet Harbour (1987) (Unrated).mkv', 'Unrated'],
  ])('reads the edition of %s', (path, edition) => {
    const film = read('movies', path);

    expect(film.title).toBe('Quiet Harbour');
    expect(film.edition).toBe(edition);
  });

  test.each([
    ['Quiet Harbour (1987)/Quiet Harbour (1987) - part2.avi', 2],
    ['Quiet Harbour (1987)/Quiet Harbour (1987) CD1.avi', 1],
    ['Quiet Harbour (1987)/CD2/movie.avi', 2],
  ])('reads the part of %s', (path, part) => {
    expect(read('movies', path)).toMatchObject({
      title: 'Quiet Harbour',
      metadata: { year: 1987 },
    });
    expect(read('movies', path).partNumber).toBe(part);
  });

  test('keeps the part of a title in the title', () => {
    expect(readName('movies', 'The Voyage - Part 2 (2012).mkv')['title']).toBe(
      'The Voyage - Part 2',
    );
  });

  test('prefers the folder when the file says less', () => {
    const path = 'Quiet.Harbour.1987.720p.BluRay.x264-NOVA/nv-qh.mkv';

    expect(readName('movies', path)).toMatchObject({ title: 'Quiet Harbour', year: 1987 });
    expect(readName('movies', 'Kids/Quiet Harbour (1987).mkv')['title']).toBe('Quiet Harbour');
  });

  test.each([
    ['Quiet Harbour (1987)/Trailers/Trailer.mp4', 'trailer'],
    ['Quiet Harbour (1987)/extras/Deleted Scenes.mp4', 'extra'],
    ['Quiet Harbour (1987)/Behind The Scenes/On Set.mp4', 'behind-the-scenes'],
    ['Quiet Harbour (1987)/Deleted Scenes/The Pier.mp4', 'deleted-scene'],
    ['Quiet Harbour (1987)/Quiet Harbour (1987)-trailer.mp4', 'trailer'],
    ['Quiet Harbour (1987)/Quiet Harbour (1987)-featurette.mp4', 'extra'],
    ['Quiet.Harbour.1987.720p/Sample/quiet.harbour-sample.mkv', 'extra'],
    ['Quiet Harbour (1987)/Quiet Harbour (1987).mkv', 'primary'],
    ['The Interview (2014).mkv', 'primary'],
    ['Shorts/Quiet Harbour (1987).mkv', 'primary'],
  ])('classifies %s as %s', (path, classification) => {
    expect(read('movies', path).classification).toBe(classification);
  });

  test('gives an extra the title of its film', () => {
    const { title, metadata } = read('movies', 'Quiet Harbour (1987)/extras/The Pier.mp4');

    expect({ title, year: metadata['year'] }).toEqual({ title: 'Quiet Harbour', year: 1987 });
  });
});

describe('episodes', () => {
  test.each([
    ['Harbour/Season 01/Harbour - S01E02 - The Pier.mkv', 'The Pier', 1, 2],
    ['Harbour/Season 1/1x02 - The Pier.mkv', 'The Pier', 1, 2],
    ['Harbour/Season 1/Harbour - S01E02 - Pier.mkv', 'Pier', 1, 2],
    ['Harbour/Harbour - S01E02-Pier.mkv', 'Harbour S01E02', 1, 2],
    ['Harbour/Harbour.S01E02-Pier.mkv', 'Pier', 1, 2],
    ['Harbour/S1/02 - The Pier.mkv', 'The Pier', 1, 2],
    ['Harbour/Specials/01 - The Pier.mkv', 'The Pier', 0, 1],
    ['Harbour/Season 00/Harbour S00E01 The Pier.mkv', 'The Pier', 0, 1],
    ['Harbour/Staffel 2/Harbour 2x03.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Saison 2/Harbour - Episode 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Temporada 2/Harbour E03.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Stagione 2/Harbour Ep. 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Seizoen 2/03.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Säsong 2/Avsnitt 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Sezon 2/Odcinek 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Сезон 2/Серия 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/2 сезон/03 серия.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/第2季/第3話.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/시즌 2/3화.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/2. évad/3. rész.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/2. Sezon/3. Bölüm.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Kausi 2/Jakso 3.mkv', 'Harbour S02E03', 2, 3],
    ['Harbour/Harbour.S01E02.720p.WEB.x264-NOVA.mkv', 'Harbour S01E02', 1, 2],
    ['Harbour.S01E02.The.French.Pier.720p.HDTV.x264-NOVA.mkv', 'The French Pier', 1, 2],
    ['harbour.102.hdtv-nova.mkv', 'harbour S01E02', 1, 2],
    ['Harbour Ｓ０１Ｅ０２.mkv', 'Harbour S01E02', 1, 2],
  ])('%s', (path, title, season, episode) => {
    const found = read('tv', path);

    expect(found.title).toBe(title);
    expect(found.metadata).toMatchObject({ season, episode });
    expect(String(found.metadata['series']).toLowerCase()).toBe('harbour');
  });

  test.each([
    ['Harbour S01E01-E03.mkv', [1, 2, 3]],
    ['Harbour S01E01E02.mkv', [1, 2]],
    ['Harbour - S01E01-02 - The Pier.mkv', [1, 2]],
    ['Harbour 1x01-02-03.mkv', [1, 2, 3]],
    ['Harbour s01e01 s01e02.mkv', [1, 2]],
    ['Harbour - S01E01 - 24 Hours.mkv', undefined],
    ['Harbour.S01E01.264.Days.mkv', undefined],
  ])('reads all episodes of %s', (path, episodes) => {
    expect(read('tv', path).metadata).toMatchObject({ season: 1, episode: 1 });
    expect(read('tv', path).metadata['episodes']).toEqual(episodes);
  });

  test('counts through all seasons where a fansub group does', () => {
    expect(readName('tv', '[Nova] Harbour no Uta - 07v2 [1080p][1A2B3C4D].mkv')).toEqual({
      title: 'Harbour no Uta E07',
      series: 'Harbour no Uta',
      absoluteEpisode: 7,
      resolution: '1080p',
      releaseGroup: 'Nova',
      identify: { crc: '1A2B3C4D' },
    });
    expect(readName('tv', '【星组】[Harbour][12][1080P].mkv')).toMatchObject({
      series: 'Harbour',
      absoluteEpisode: 12,
    });
    expect(readName('tv', 'Harbour - 927 (1080p).mkv')['absoluteEpisode']).toBe(927);
  });

  test.each([
    ['9-1-1/Season 1/9-1-1 - S01E01 - Pilot.mkv', '9-1-1', 'Pilot'],
    ['1923/Season 1/1923 - S01E01 - 1923.mkv', '1923', '1923'],
    ['11.22.63/Season 1/11.22.63 - S01E01.mkv', '11 22 63', '11 22 63 S01E01'],
    ['24/Season 1/24 - S01E01.mkv', '24', '24 S01E01'],
    ['Babylon 5/Season 1/Babylon 5 - S01E01.mkv', 'Babylon 5', 'Babylon 5 S01E01'],
    [
      'The Hidden Season (1983)/S01/The Hidden Season - S01E01.mkv',
      'The Hidden Season',
      'The Hidden Season S01E01',
    ],
    ['Extras/Season 1/Extras - S01E01.mkv', 'Extras', 'Extras S01E01'],
  ])('keeps the numbers and words of a title in %s', (path, series, title) => {
    const found = read('tv', path);

    expect(found).toMatchObject({ title, classification: 'primary' });
    expect(found.metadata).toMatchObject({ series, season: 1, episode: 1 });
    expect(found.metadata['absoluteEpisode']).toBeUndefined();
  });

  test.each([
    'Harbour.2014.10.31.HDTV.x264-NOVA.mkv',
    'Harbour - 2014-10-31 - The Pier.mkv',
    'Harbour 31st Oct 2014 HDTV.mkv',
    'Harbour_20141031.mkv',
  ])('reads the date of %s', (path) => {
    expect(readName('tv', path)).toMatchObject({ series: 'Harbour', airDate: '2014-10-31' });
  });

  test('does not read an impossible date', () => {
    expect(readName('tv', 'Harbour.2014.13.45.mkv')['airDate']).toBeUndefined();
  });

  test('separates the year of a series from its title', () => {
    expect(readName('tv', 'Harbour (2005)/Season 1/Harbour (2005) - S01E01.mkv')).toEqual({
      title: 'Harbour S01E01',
      series: 'Harbour',
      year: 2005,
      season: 1,
      episode: 1,
    });
  });

  test('recognizes one series in two spellings', () => {
    const series = ['The Harbour/the.harbour.s01e01.mkv', 'The Harbour/The Harbour 1x02.mkv'].map(
      (path) => readName('tv', path)['series'],
    );

    expect(series).toEqual(['The Harbour', 'The Harbour']);
  });

  test('reads the episode from the folder of its release when the file has none', () => {
    const path = 'Harbour.S02E09.The.Pier.1080p.WEB.H264-NOVA/c329b27187d44a94.mkv';

    expect(readName('tv', path)).toMatchObject({
      title: 'The Pier',
      series: 'Harbour',
      season: 2,
      episode: 9,
    });
  });

  test('treats a file in an extras folder as an extra, not as season 0', () => {
    const extra = read('tv', 'Harbour/Season 1/Extras/The Pier.mkv');

    expect(extra.classification).toBe('extra');
    expect(extra.metadata).toMatchObject({ series: 'Harbour' });
    expect(extra.metadata['season']).toBeUndefined();
  });

  test('returns the show and the season as entities, to be completed', () => {
    expect(read('tv', 'Harbour (2005)/Season 1/S01E01.mkv').entities).toEqual({
      show: [
        {
          name: 'Harbour',
          type: 'show',
          status: 'pending',
          source: 'identify',
          metadata: { year: 2005 },
        },
      ],
      season: [
        {
          name: 'Season 1',
          type: 'season',
          status: 'pending',
          source: 'identify',
          metadata: { show: 'Harbour', season: 1 },
        },
      ],
    });
  });
});

describe('tracks', () => {
  test.each([
    [
      'Ada Berg/Quiet (1999)/01 - The Pier.flac',
      { title: 'The Pier', artist: 'Ada Berg', album: 'Quiet', year: 1999, track: 1 },
    ],
    [
      'Ada Berg/1999 - Quiet/CD2/03. The Pier.flac',
      { title: 'The Pier', artist: 'Ada Berg', album: 'Quiet', year: 1999, track: 3, disc: 2 },
    ],
    [
      'Ada Berg/Quiet/2-03 - The Pier.flac',
      { title: 'The Pier', artist: 'Ada Berg', album: 'Quiet', track: 3, disc: 2 },
    ],
    [
      'Ada Berg - Quiet (1999) [FLAC]/03 The Pier.flac',
      { title: 'The Pier', artist: 'Ada Berg', album: 'Quiet', year: 1999, track: 3 },
    ],
    [
      'Ada Berg/Quiet/Ada Berg - Quiet - 03 - The Pier.mp3',
      { title: 'The Pier', artist: 'Ada Berg', album: 'Quiet', track: 3 },
    ],
    [
      'Ada Berg/Quiet/04 - Night - Morning.mp3',
      { title: 'Night - Morning', artist: 'Ada Berg', album: 'Quiet', track: 4 },
    ],
    [
      'Ada Berg/Quiet/12 - 99 Boats.mp3',
      { title: '99 Boats', artist: 'Ada Berg', album: 'Quiet', track: 12 },
    ],
  ])('%s', (path, expected) => {
    expect(readName('music', path)).toMatchObject(expected);
  });

  test('takes the artist of a compilation from the file', () => {
    expect(readName('music', 'Various Artists/Piers (1999)/07 - Ada Berg - Quiet.mp3')).toEqual({
      title: 'Quiet',
      artist: 'Ada Berg',
      albumArtist: 'Various Artists',
      album: 'Piers',
      year: 1999,
      track: 7,
    });
  });

  test('reads artist and title when no folder says more', () => {
    expect(readName('music', '02 - Ada Berg - Quiet.mp3')).toEqual({
      title: 'Quiet',
      artist: 'Ada Berg',
      track: 2,
    });
    expect(readName('music', 'Stand by Me.mp3')).toEqual({ title: 'Stand by Me' });
  });

  test('returns artist and album as entities', () => {
    const entities = read('music', 'Ada Berg/Quiet (1999)/01 - The Pier.flac').entities;

    expect(entities).toMatchObject({
      artist: [{ name: 'Ada Berg', type: 'artist' }],
      albumArtist: [{ name: 'Ada Berg', type: 'artist' }],
      album: [{ name: 'Quiet', type: 'album', metadata: { artist: 'Ada Berg', year: 1999 } }],
    });
  });
});

describe('audiobooks', () => {
  test.each([
    ['Ada Berg/The Pier/03 - Chapter 3.mp3', { title: 'The Pier', author: 'Ada Berg', part: 3 }],
    [
      'Ada Berg/Harbour Cycle/Vol. 2 - 1999 - The Pier {Hugo Quinn}/The Pier.m4b',
      {
        title: 'The Pier',
        author: 'Ada Berg',
        narrator: 'Hugo Quinn',
        year: 1999,
        bookSeries: 'Harbour Cycle',
        volume: 2,
      },
    ],
    [
      'Ada Berg/Harbour Cycle/Book 2 - The Pier (Unabridged)/CD1/01.mp3',
      {
        title: 'The Pier',
        author: 'Ada Berg',
        bookSeries: 'Harbour Cycle',
        volume: 2,
        part: 1,
        disc: 1,
      },
    ],
    ['Ada Berg - The Pier/Part 2.mp3', { title: 'The Pier', author: 'Ada Berg', part: 2 }],
    [
      'Ada Berg/The Pier/The Pier - Part 1 of 3.mp3',
      { title: 'The Pier', author: 'Ada Berg', part: 1 },
    ],
    ['Ada Berg/The Pier (1999).m4b', { title: 'The Pier', author: 'Ada Berg', year: 1999 }],
  ])('%s', (path, expected) => {
    expect(readName('audiobooks', path)).toEqual(expected);
  });
});

describe('books', () => {
  test.each([
    ['Ada Berg/The Pier.epub', { title: 'The Pier', author: 'Ada Berg' }],
    ['Ada Berg - The Pier.epub', { title: 'The Pier', author: 'Ada Berg' }],
    ['The Pier (1965) - Ada Berg.epub', { title: 'The Pier', author: 'Ada Berg', year: 1965 }],
    [
      'Harbour Man/Harbour Man Vol. 3 Ch. 12.cbz',
      { title: 'Harbour Man #3 ch. 12', bookSeries: 'Harbour Man', volume: 3, chapter: 12 },
    ],
    [
      'Harbour Man 007 (2016) (Digital) (Pier-Empire).cbz',
      { title: 'Harbour Man #7', bookSeries: 'Harbour Man', volume: 7, year: 2016 },
    ],
    ['Ada Berg/The Pier (12)/The Pier - Ada Berg.epub', { title: 'The Pier', author: 'Ada Berg' }],
    [
      'Ada Berg/Harbour Cycle/02 - The Pier.epub',
      { title: 'The Pier', author: 'Ada Berg', bookSeries: 'Harbour Cycle', volume: 2 },
    ],
    [
      'Ada Berg - [Harbour Cycle 02] - The Pier.epub',
      { title: 'The Pier', author: 'Ada Berg', bookSeries: 'Harbour Cycle', volume: 2 },
    ],
    [
      'The Pier (Harbour Cycle, Book 2).epub',
      { title: 'The Pier', bookSeries: 'Harbour Cycle', volume: 2 },
    ],
    [
      'Harbour Man/Harbour Man 012 (2019) (digital).cbz',
      { title: 'Harbour Man #12', bookSeries: 'Harbour Man', volume: 12, year: 2019 },
    ],
    [
      'Harbour Man v03 (2018).cbz',
      { title: 'Harbour Man #3', bookSeries: 'Harbour Man', volume: 3, year: 2018 },
    ],
    [
      'Harbour Man #12 - The Pier.cbr',
      { title: 'The Pier', bookSeries: 'Harbour Man', volume: 12 },
    ],
    ['The Pier (1999).cbz', { title: 'The Pier', year: 1999 }],
  ])('%s', (path, expected) => {
    expect(readName('books', path)).toEqual(expected);
  });
});

describe('photos', () => {
  test('keeps the name, and reads the album from the folder and the day from the name', () => {
    expect(readName('photos', '2019/Summer at the Pier/IMG_20190512_103000.jpg')).toEqual({
      title: 'IMG_20190512_103000',
      album: 'Summer at the Pier',
      takenAt: '2019-05-12',
      year: 2019,
    });
    expect(readName('photos', 'DCIM/100CANON/DSC_0001.jpg')).toEqual({ title: 'DSC_0001' });
  });

  test('knows an album by its place, in one library', () => {
    const albumOf = (path: string, libraryId = 'a') =>
      createIdentifier('photos', 2026, libraryId)?.(path).entities?.['album']?.[0];
    const album = albumOf('2018/Birthday/IMG_1.jpg');

    expect(album).toMatchObject({ name: 'Birthday', status: 'pending' });
    expect(albumOf('2018/Birthday/DCIM/IMG_2.jpg')).toEqual(album);
    for (const other of [
      albumOf('2019/Birthday/IMG_1.jpg'),
      albumOf('2018/Birthday/IMG_1.jpg', 'b'),
    ]) {
      expect(other?.name).toBe('Birthday');
      expect(other?.ids).not.toEqual(album?.ids);
    }
  });
});

test.each([
  ['Harbor (2011) [imdbid-tt90000001]/Season 01/Harbor S01E01.mkv', { imdb: { id: 'tt90000001' } }],
  ['Harbor {tvdb-900002}/Season 01/Harbor S01E01.mkv', { tvdb: { id: '900002' } }],
  ['Harbor [tmdbid=900003]/Season 01/Harbor S01E01.mkv', { tmdb: { id: '900003' } }],
  ['Harbor [tvdbid-900004]/Harbor - 01.mkv', { tvdb: { id: '900004' } }],
])('%s: the id in the folder is that of the show', (path, ids) => {
  const found = createIdentifier('tv', 2026)?.(path);

  expect(found?.entities?.['show']).toMatchObject([{ name: 'Harbor', ids }]);
  expect(found?.metadata).not.toHaveProperty('ids');
});
