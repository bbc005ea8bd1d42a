import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { deltaOf, entityOf, pictureOf } from '../fake-item.ts';

const sample = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../samples', name), 'utf8');

const person = (name: string, more = {}) => entityOf('person', name, more);
const named = (type: string, ...names: readonly string[]) =>
  names.map((name) => entityOf(type, name));
const tmdb = (name: string): string => `https://image.tmdb.org/t/p/original/${name}`;
const tvdb = (name: string): string => `https://artworks.thetvdb.com/banners/${name}`;

/** What an NFO beside a film says. */
const film = (text: string | Uint8Array, name = 'Film.nfo') =>
  deltaOf({ media: ['Film (2000)/Film.mkv'], beside: { [`Film (2000)/${name}`]: text } });

describe('the NFO of a film', () => {
  test('of Kodi is read completely', async () => {
    expect(await film(sample('kodi-film.nfo'))).toEqual({
      fields: {
        title: "The Lighthouse Keeper's Daughter",
        originalTitle: 'La fille du gardien de phare',
        sortTitle: "Lighthouse Keeper's Daughter",
        year: 2019,
        airDate: '2019-10-18',
        overview:
          'A keeper vanishes, and his daughter keeps the light — for "one winter".\nThen the ships stop coming.',
        tagline: 'Someone must keep the light.',
        genres: ['Drama', 'Mystery'],
        rating: 7.81,
        votes: 1204,
        certification: 'PG-13',
        duration: 7620,
        'sidecars.countries': ['France', 'Belgium'],
        'sidecars.tags': ['lighthouse', 'island'],
        'sidecars.trailer': 'https://www.youtube.com/watch?v=abcDEF12345',
      },
      ids: { tmdb: { id: '123456' }, imdb: { id: 'tt7654321' } },
      entities: {
        actor: [
          person('Léa Fictive', {
            metadata: { character: 'Jeanne / The Light', order: 0, imageUrl: tmdb('lea.jpg') },
          }),
          person('Jean Inventé', { metadata: { character: 'The Keeper', order: 1 } }),
        ],
        director: named('person', 'Marie Muster'),
        writer: named('person', 'Anne Example', 'Paul Sample'),
        studio: named('studio', 'Phare Films', 'Canal Example'),
        genre: named('genre', 'Drama', 'Mystery'),
        collection: [
          entityOf('series', 'Lighthouse Collection', {
            status: 'complete',
            metadata: { overview: 'Films about lights.' },
          }),
        ],
      },
      assets: [
        pictureOf('poster', 'portrait', tmdb('pOsTeR1.jpg')),
        pictureOf(
          'logo',
          'landscape',
          'https://assets.fanart.tv/fanart/movies/100/hdmovielogo/logo.png',
        ),
        pictureOf('backdrop', 'landscape', tmdb('fan1.jpg')),
        pictureOf('backdrop', 'landscape', tmdb('fan2.jpg')),
      ],
    });
  });

  test('of Jellyfin is read completely, with its locks', async () => {
    expect(await film(sample('jellyfin-film.nfo'), 'movie.nfo')).toEqual({
      fields: {
        title: 'The Door',
        originalTitle: 'Die Tür',
        year: 2009,
        airDate: '2009-11-26',
        overview: 'Two clerks find a <door> & open it.',
        genres: ['Fantasy', 'Thriller'],
        rating: 6.4,
        certification: 'DE-12',
        duration: 6180,
        'sidecars.countries': ['Germany'],
        'sidecars.locked': true,
        'sidecars.lockedFields': ['fields.title', 'fields.overview'],
      },
      ids: { imdb: { id: 'tt1080018' }, tmdb: { id: '23453' } },
      entities: {
        actor: [
          person('Mads Beispiel', {
            ids: { tmdb: { id: '1019' } },
            metadata: { character: 'David', order: 0 },
          }),
          person('Gast Stern', { metadata: { character: 'Neighbour', order: 7, isGuest: true } }),
        ],
        director: [person('Anno Regie', { metadata: { order: 2 } })],
        writer: named('person', 'Jan Schreiber'),
        producer: [person('Pia Produkt', { metadata: { order: 4 } })],
        composer: [person('Carla Klang', { metadata: { order: 3 } })],
        studio: named('studio', 'Wüste Beispiel'),
        genre: named('genre', 'Fantasy', 'Thriller'),
        collection: [entityOf('series', 'Doors', { ids: { 'tmdb-collection': { id: '88' } } })],
      },
      assets: [pictureOf('backdrop', 'landscape', tmdb('door.jpg'))],
    });
  });

  test.each([
    ['https://www.imdb.com/title/tt0133093/', { imdb: { id: 'tt0133093' } }],
    ['https://m.imdb.com/de/title/tt0133093/?ref_=nv', { imdb: { id: 'tt0133093' } }],
    ['https://www.themoviedb.org/movie/603-the-matrix', { tmdb: { id: '603' } }],
    ['http://thetvdb.com/?tab=series&id=81189&lid=7', { tvdb: { id: '81189' } }],
    ['https://www.thetvdb.com/dereferrer/series/81189', { tvdb: { id: '81189' } }],
    ['https://anidb.net/anime/23', { anidb: { id: '23' } }],
    [
      '▄▄▄ ░▒▓ < R E L E A S E > ▓▒░\n iMDB ... http://www.imdb.com/title/tt0133093/ <<\n',
      { imdb: { id: 'tt0133093' } },
    ],
  ])('without a document gives the ids of its addresses: %j', async (text, ids) => {
    expect(await film(text)).toEqual({ ids });
  });

  test('with an address after the document prefers the document', async () => {
    const text =
      '<movie><title>A</title><tmdbid>1</tmdbid></movie>\nhttps://www.themoviedb.org/movie/2\nhttps://www.imdb.com/title/tt0133093/';

    expect(await film(text)).toEqual({
      fields: { title: 'A' },
      ids: { tmdb: { id: '1' }, imdb: { id: 'tt0133093' } },
    });
  });

  test.each([
    ['<id>tt0133093</id>', { imdb: { id: 'tt0133093' } }],
    ['<id>603</id>', { tmdb: { id: '603' } }],
    ['<id moviedb="imdb">tt0133093</id>', { imdb: { id: 'tt0133093' } }],
    [
      '<id IMDB="tt0133093" TMDB="603">603</id>',
      { imdb: { id: 'tt0133093' }, tmdb: { id: '603' } },
    ],
    ['<imdb_id>tt0133093</imdb_id>', { imdb: { id: 'tt0133093' } }],
    ['<uniqueid type="TheMovieDb">603</uniqueid>', { tmdb: { id: '603' } }],
    ['<uniqueid>tt0133093</uniqueid>', { imdb: { id: 'tt0133093' } }],
    ['<uniqueid type="letterboxd">2a2k</uniqueid>', { letterboxd: { id: '2a2k' } }],
    [
      '<uniqueid type="tmdb">1</uniqueid><uniqueid type="tmdb" default="true">2</uniqueid>',
      { tmdb: { id: '2' } },
    ],
    ['<uniqueid type="__proto__">1</uniqueid><uniqueid type="constructor">1</uniqueid>', undefined],
    ['<uniqueid type="tmdb">not an id</uniqueid><tmdbid>0</tmdbid><imdbid>603</imdbid>', undefined],
  ])('names its ids as %s', async (xml, ids) => {
    const delta = await film(`<movie><title>A</title>${xml}</movie>`);

    expect(delta?.ids).toEqual(ids);
  });

  test.each([
    ['<mpaa>Rated R for violence and language</mpaa>', { certification: 'R' }],
    ['<mpaa>US:PG-13 / UK:12A</mpaa>', { certification: 'US:PG-13 / UK:12A' }],
    ['<mpaa>Germany:12 / USA:R</mpaa>', { certification: 'Germany:12 / USA:R' }],
    ['<mpaa>Germany:12/USA:R</mpaa>', { certification: 'Germany:12 / USA:R' }],
    ['<mpaa>USA:Rated R for violence</mpaa>', { certification: 'R' }],
    [
      '<mpaa>PG-13</mpaa><certification>DE:FSK 12 / US:PG-13</certification>',
      { certification: 'PG-13 / DE:FSK 12 / US:PG-13' },
    ],
    [`<mpaa>${'US:PG / '.repeat(200)}US:R</mpaa>`, {}],
    ['<mpaa>de/12</mpaa>', { certification: 'de/12' }],
    ['<mpaa></mpaa><certification>FSK 16</certification>', { certification: 'FSK 16' }],
    ['<runtime>142</runtime>', { duration: 8520 }],
    ['<runtime>142 min</runtime>', { duration: 8520 }],
    ['<runtime>2h 22m</runtime>', { duration: 8520 }],
    ['<runtime>2:22:00</runtime>', { duration: 8520 }],
    ['<runtime>0</runtime>', {}],
    ['<rating>7,8</rating><votes>1.234</votes>', { rating: 7.8, votes: 1234 }],
    ['<rating max="100">78</rating>', { rating: 7.8 }],
    ['<rating>0</rating><votes>0</votes>', {}],
    ['<rating>78</rating>', {}],
    ['<ratings><rating max="5"><value>4</value></rating></ratings>', { rating: 8 }],
    ['<premiered>31.03.1999</premiered>', { year: 1999, airDate: '1999-03-31' }],
    ['<releasedate>1999-03-31T00:00:00Z</releasedate>', { year: 1999, airDate: '1999-03-31' }],
    ['<premiered>1999</premiered>', { year: 1999 }],
    ['<year>1998</year><premiered>1999-03-31</premiered>', { year: 1998, airDate: '1999-03-31' }],
    ['<outline>Short.</outline>', { overview: 'Short.' }],
    ['<outline>Short.</outline><plot>Long.</plot>', { overview: 'Long.' }],
    ['<genre>Drama / Crime</genre><genre>Crime</genre>', { genres: ['Drama', 'Crime'] }],
    [
      '<trailer>https://example.org/t.mp4</trailer>',
      { 'sidecars.trailer': 'https://example.org/t.mp4' },
    ],
    ['<trailer>/home/me/t.mp4</trailer>', {}],
    ['<playcount>3</playcount><watched>true</watched><userrating>9</userrating>', {}],
    ['<lockdata>false</lockdata>', {}],
    [
      '<lockedfields>GENRES | SortName|Genres|Magic</lockedfields>',
      { 'sidecars.lockedFields': ['fields.genres', 'entities.genre', 'fields.sortTitle'] },
    ],
    ['<lockedfields>__proto__|Magic</lockedfields>', {}],
  ])('gives %s', async (xml, fields) => {
    const delta = await film(`<movie><tagline>T</tagline>${xml}</movie>`);

    expect(delta?.fields).toEqual({ tagline: 'T', ...fields });
  });

  test('names collections in all three forms', async () => {
    const delta = await film(
      '<movie><set>Plain</set><set><name>Deep</name></set><set tmdbcolid="7"><name>Known</name></set></movie>',
    );

    expect(delta?.entities?.['collection']).toEqual([
      ...named('series', 'Plain', 'Deep'),
      entityOf('series', 'Known', { ids: { 'tmdb-collection': { id: '7' } } }),
    ]);
  });

  test('gives no duration to a file that has its own', async () => {
    const item = {
      media: ['F/Film.mkv'],
      beside: { 'F/Film.nfo': '<movie><title>A</title><runtime>90</runtime></movie>' },
      durations: [5000],
    };

    expect((await deltaOf(item))?.fields).toEqual({ title: 'A' });
  });

  test('wins over that of its folder, and a locked one over all', async () => {
    const own = '<movie><title>Own</title><year>2000</year></movie>';
    const open = '<movie><title>Folder</title><tagline>T</tagline></movie>';
    const locked = open.replace('<title>', '<lockdata>true</lockdata><title>');
    const both = (folder: string) =>
      deltaOf({ media: ['F/Film.mkv'], beside: { 'F/Film.nfo': own, 'F/movie.nfo': folder } });

    expect((await both(open))?.fields).toEqual({ title: 'Own', year: 2000, tagline: 'T' });
    expect((await both(locked))?.fields).toEqual({
      title: 'Folder',
      year: 2000,
      tagline: 'T',
      'sidecars.locked': true,
    });
  });

  test('of a folder of discs is found above them', async () => {
    const item = (path: string) => ({
      media: ['Film/VIDEO_TS/VTS_01_1.vob'],
      beside: { [path]: '<movie><title>A</title></movie>' },
    });

    expect((await deltaOf(item('Film/VIDEO_TS/VIDEO_TS.nfo')))?.fields).toEqual({ title: 'A' });
    expect((await deltaOf(item('Film/movie.nfo')))?.fields).toEqual({ title: 'A' });
  });

  test('that names no film is ignored in the root', async () => {
    expect(
      await deltaOf({
        media: ['Film.mkv'],
        beside: { 'movie.nfo': '<movie><title>A</title></movie>' },
      }),
    ).toBeNull();
  });
});

describe('the NFO of an episode', () => {
  const season2 = { series: 'harbour.nights', season: 2, episode: 3 };

  test('is read with its season and show', async () => {
    const delta = await deltaOf({
      media: ['Harbour Nights/Season 02/hn.s02e03.mkv'],
      fields: season2,
      beside: {
        'Harbour Nights/tvshow.nfo': sample('tvshow.nfo'),
        'Harbour Nights/Season 02/season.nfo': sample('season.nfo'),
        'Harbour Nights/Season 02/hn.s02e03.nfo': sample('episode.nfo'),
      },
    });

    expect(delta).toEqual({
      fields: {
        title: 'Ice on the Pier',
        year: 2016,
        airDate: '2016-01-26',
        overview: 'The pier is closed.',
        genres: ['Crime'],
        rating: 8.9,
        votes: 57,
        certification: 'TV-MA',
        series: 'Harbour Nights',
        season: 2,
        episode: 3,
        duration: 2640,
      },
      ids: { tvdb: { id: '4567891' }, imdb: { id: 'tt2301451' } },
      entities: {
        actor: [
          person('Ida Regular', { metadata: { character: 'Nurse Ida', order: 0 } }),
          person('Guest One', { metadata: { character: 'Captain', order: 1 } }),
        ],
        director: named('person', 'Rita Regie'),
        writer: named('person', 'Otto Autor'),
        studio: named('studio', 'Nordsender'),
        genre: named('genre', 'Crime'),
        show: [
          entityOf('show', 'Harbour Nights', {
            status: 'complete',
            ids: { tvdb: { id: '81189' }, imdb: { id: 'tt0903747' } },
            metadata: {
              originalTitle: 'Hafennächte',
              year: 2015,
              airDate: '2015-01-20',
              overview: 'A night shift in a small harbour.',
              genres: ['Crime', 'Drama'],
              rating: 8.25,
              votes: 310,
              certification: 'TV-14',
              'sidecars.status': 'Ended',
              assets: {
                poster: { uri: tvdb('posters/1-1.jpg'), aspect: 'portrait' },
                banner: { uri: tvdb('graphical/1-g.jpg'), aspect: 'landscape' },
                backdrop: {
                  uri: 'https://thetvdb.com/banners/fanart/original/1-2.jpg',
                  aspect: 'landscape',
                },
              },
            },
          }),
        ],
        season: [
          entityOf('season', 'Season 2', {
            status: 'complete',
            ids: { tvdb: { id: '622389' } },
            metadata: {
              title: 'The Long Winter',
              year: 2016,
              airDate: '2016-01-12',
              overview: 'The harbour freezes.',
              show: 'Harbour Nights',
              season: 2,
              assets: { poster: { uri: tvdb('seasons/1-2.jpg'), aspect: 'portrait' } },
            },
          }),
        ],
      },
      assets: [
        pictureOf('thumbnail', 'landscape', tvdb('episodes/1/4567.jpg')),
        pictureOf('poster', 'portrait', tvdb('seasons/1-2.jpg')),
        pictureOf('poster', 'portrait', tvdb('posters/1-1.jpg')),
        pictureOf('banner', 'landscape', tvdb('graphical/1-g.jpg')),
        pictureOf('backdrop', 'landscape', 'https://thetvdb.com/banners/fanart/original/1-2.jpg'),
      ],
    });
  });

  test('with several episodes describes them together', async () => {
    const delta = await deltaOf({
      media: ['Show/Season 1/e.mkv'],
      fields: { series: 'Show', season: 1, episode: 9, episodes: [9, 10] },
      beside: { 'Show/Season 1/e.nfo': sample('two-episodes.nfo') },
    });

    expect(delta).toEqual({
      fields: {
        title: 'The Storm, Part 1 / The Storm, Part 2',
        year: 2015,
        airDate: '2015-03-17',
        overview: 'Wind.\n\nWater.',
        season: 1,
        episode: 9,
        episodes: [9, 10],
        duration: 2640,
      },
      ids: { tvdb: { id: '111' } },
      entities: {
        actor: [
          person('Ida Regular', { metadata: { character: 'Nurse Ida', order: 0 } }),
          person('Late Comer', { metadata: { character: 'Diver', order: 1 } }),
        ],
        director: named('person', 'Rita Regie', 'Tom Zweit'),
      },
    });
  });

  test('may be missing: the show’s gives genres, people and the series', async () => {
    const delta = await deltaOf({
      media: ['Harbour Nights/Season 02/hn.s02e03.mkv'],
      fields: season2,
      beside: { 'Harbour Nights/tvshow.nfo': sample('tvshow.nfo') },
    });

    expect(delta?.fields).toEqual({
      series: 'Harbour Nights',
      genres: ['Crime', 'Drama'],
      certification: 'TV-14',
    });
    expect(delta?.ids).toBeUndefined();
    expect(delta?.entities?.['actor']).toEqual([
      person('Ida Regular', {
        metadata: { character: 'Nurse Ida', order: 0, imageUrl: tvdb('actors/1.jpg') },
      }),
    ]);
    expect(delta?.entities?.['season']).toEqual([
      entityOf('season', 'Season 2', {
        metadata: {
          title: 'The Long Winter',
          show: 'Harbour Nights',
          season: 2,
          assets: { poster: { uri: tvdb('seasons/1-2.jpg'), aspect: 'portrait' } },
        },
      }),
    ]);
  });

  test('of a show that is only an address gives the ids of the show', async () => {
    const delta = await deltaOf({
      media: ['Show/Season 1/e.mkv'],
      fields: { series: 'Show', season: 1, episode: 1 },
      beside: { 'Show/tvshow.nfo': 'https://www.thetvdb.com/?tab=series&id=81189' },
    });

    expect(delta).toEqual({
      entities: { show: [entityOf('show', 'Show', { ids: { tvdb: { id: '81189' } } })] },
    });
  });
});

describe('the NFO of music', () => {
  test('of an album and its artist describes both, and of the track only what it shares', async () => {
    const delta = await deltaOf({
      media: ['The Quiet Hours/Slow Water/CD 1/01 Tide Table.flac'],
      beside: {
        'The Quiet Hours/artist.nfo': sample('artist.nfo'),
        'The Quiet Hours/Slow Water/album.nfo': sample('album.nfo'),
      },
    });
    const fanart = (name: string) => `https://assets.fanart.tv/fanart/music/a/${name}`;

    expect(delta).toEqual({
      fields: {
        album: 'Slow Water',
        albumArtist: 'The Quiet Hours',
        genres: ['Folk'],
        year: 1999,
        airDate: '1999-09-13',
      },
      entities: {
        albumArtist: [
          entityOf('artist', 'The Quiet Hours', {
            status: 'complete',
            ids: { 'musicbrainz-artist': { id: '12345678-90ab-cdef-1234-567890abcdef' } },
            metadata: {
              overview: 'Three people and a harmonium.',
              sortTitle: 'Quiet Hours, The',
              genres: ['Folk', 'Slowcore'],
              'sidecars.styles': ['Chamber Folk'],
              'sidecars.moods': ['Wistful'],
              'sidecars.formed': '1994',
              'sidecars.disbanded': '2008',
              assets: {
                artist: { uri: fanart('artistthumb/a.jpg'), aspect: 'square' },
                logo: { uri: fanart('hdmusiclogo/l.png'), aspect: 'landscape' },
                backdrop: { uri: fanart('artistbackground/f.jpg'), aspect: 'landscape' },
              },
            },
          }),
        ],
        album: [
          entityOf('album', 'Slow Water', {
            status: 'complete',
            ids: {
              'musicbrainz-album': { id: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb' },
              'musicbrainz-release-group': { id: 'cccccccc-0000-1111-2222-dddddddddddd' },
            },
            metadata: {
              year: 1999,
              airDate: '1999-09-13',
              overview: 'Recorded in a boathouse.',
              genres: ['Folk'],
              rating: 8.1,
              votes: 12,
              'sidecars.styles': ['Chamber Folk'],
              'sidecars.moods': ['Calm'],
              artist: 'The Quiet Hours',
              assets: { cover: { uri: fanart('albumcover/c.jpg'), aspect: 'square' } },
            },
          }),
        ],
        genre: named('genre', 'Folk'),
        studio: named('studio', 'Driftwood'),
      },
      assets: [
        pictureOf('cover', 'square', fanart('albumcover/c.jpg')),
        pictureOf('artist', 'square', fanart('artistthumb/a.jpg')),
        pictureOf('logo', 'landscape', fanart('hdmusiclogo/l.png')),
        pictureOf('backdrop', 'landscape', fanart('artistbackground/f.jpg')),
      ],
    });
  });

  test('of a music video is read as a film with artist and album', async () => {
    const text =
      '<musicvideo><title>Tide</title><artist>The Quiet Hours</artist><album>Slow Water</album><year>1999</year></musicvideo>';

    expect(await film(text)).toEqual({
      fields: { title: 'Tide', year: 1999, artist: 'The Quiet Hours', album: 'Slow Water' },
      entities: { artist: named('artist', 'The Quiet Hours') },
    });
  });
});
