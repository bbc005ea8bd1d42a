import { describe, expect, test } from 'vitest';
import { deltaOf, sceneOf, uriOf, type FakeItem } from '../fake-item.ts';
import { toNeighbour } from '../item/neighbours.ts';
import { artworkOf } from './artwork-files.ts';

/** The expected result for a picture: what it belongs to, its type and its form; null: it is ignored. */
type Row = readonly [path: string, expected: string | null];

function resultOf(item: FakeItem, path: string): string | null {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const file = { uri: uriOf(path), path, extension, sourcePlugin: 'scanner' };
  const found = artworkOf(sceneOf(item), toNeighbour(file));
  return found && [found.owner, found.asset.type, found.asset.aspect].filter(Boolean).join(' ');
}

const film: FakeItem = { media: ['Film (2000)/Film (2000) - 1080p.mkv'] };

const filmRows: readonly Row[] = [
  ['Film (2000)/poster.jpg', 'item poster portrait'],
  ['Film (2000)/Poster.PNG', 'item poster portrait'],
  ['Film (2000)/poster-2.jpg', 'item poster portrait'],
  ['Film (2000)/folder.jpg', 'item poster portrait'],
  ['Film (2000)/cover.jpg', 'item poster portrait'],
  ['Film (2000)/default.jpg', 'item poster portrait'],
  ['Film (2000)/movie.jpg', 'item poster portrait'],
  ['Film (2000)/movie.tbn', 'item poster portrait'],
  ['Film (2000)/fanart.jpg', 'item backdrop landscape'],
  ['Film (2000)/fanart1.jpg', 'item backdrop landscape'],
  ['Film (2000)/backdrop.jpg', 'item backdrop landscape'],
  ['Film (2000)/backdrop12.jpg', 'item backdrop landscape'],
  ['Film (2000)/background.jpg', 'item backdrop landscape'],
  ['Film (2000)/art.jpg', 'item backdrop landscape'],
  ['Film (2000)/banner.jpg', 'item banner landscape'],
  ['Film (2000)/logo.png', 'item logo landscape'],
  ['Film (2000)/clearlogo.png', 'item logo landscape'],
  ['Film (2000)/clearart.png', 'item clearart landscape'],
  ['Film (2000)/thumb.jpg', 'item thumbnail landscape'],
  ['Film (2000)/landscape.jpg', 'item thumbnail landscape'],
  ['Film (2000)/disc.png', 'item disc square'],
  ['Film (2000)/discart.png', 'item disc square'],
  ['Film (2000)/keyart.jpg', 'item keyart portrait'],
  ['Film (2000)/Film (2000) - 1080p.jpg', 'item poster portrait'],
  ['Film (2000)/Film (2000) - 1080p.tbn', 'item poster portrait'],
  ['Film (2000)/Film (2000) - 1080p-poster.jpg', 'item poster portrait'],
  ['Film (2000)/Film (2000) - 1080p-fanart.webp', 'item backdrop landscape'],
  ['Film (2000)/Film (2000) - 1080p-fanart-2.jpg', 'item backdrop landscape'],
  ['Film (2000)/Film (2000) - 1080p.fanart.jpg', 'item backdrop landscape'],
  ['Film (2000)/Film (2000) - 1080p-clearlogo.png', 'item logo landscape'],
  ['Film (2000)/Film (2000) - 1080p-landscape.jpg', 'item thumbnail landscape'],
  ['Film (2000)/Film (2000) - 1080p-screenshot.jpg', null],
  ['Film (2000)/extrafanart/fanart1.jpg', 'item backdrop landscape'],
  ['Film (2000)/extrafanart/anything.jpg', 'item backdrop landscape'],
  ['Film (2000)/extrathumbs/thumb1.jpg', 'item thumbnail landscape'],
  ['Film (2000)/holiday.jpg', null],
  ['Film (2000)/Other-poster.jpg', null],
  ['poster.jpg', null],
];

const episode: FakeItem = {
  media: ['Shows/Show/Season 02/Show S02E03.mkv'],
  fields: { series: 'Show', season: 2, episode: 3 },
};

const episodeRows: readonly Row[] = [
  ['Shows/Show/Season 02/Show S02E03.jpg', 'item thumbnail landscape'],
  ['Shows/Show/Season 02/Show S02E03-thumb.jpg', 'item thumbnail landscape'],
  ['Shows/Show/Season 02/Show S02E03.tbn', 'item thumbnail landscape'],
  ['Shows/Show/Season 02/Show S02E04-thumb.jpg', null],
  ['Shows/Show/Season 02/poster.jpg', 'season poster portrait'],
  ['Shows/Show/Season 02/folder.jpg', 'season poster portrait'],
  ['Shows/Show/Season 02/Season02.jpg', 'season poster portrait'],
  ['Shows/Show/Season 02/fanart.jpg', 'season backdrop landscape'],
  ['Shows/Show/season02-poster.jpg', 'season poster portrait'],
  ['Shows/Show/season02.jpg', 'season poster portrait'],
  ['Shows/Show/season2-poster.jpg', 'season poster portrait'],
  ['Shows/Show/Season 2 Poster.jpg', 'season poster portrait'],
  ['Shows/Show/season02-banner.jpg', 'season banner landscape'],
  ['Shows/Show/season02-fanart.jpg', 'season backdrop landscape'],
  ['Shows/Show/season02-landscape.jpg', 'season thumbnail landscape'],
  ['Shows/Show/season01-poster.jpg', null],
  ['Shows/Show/season-specials-poster.jpg', null],
  ['Shows/Show/season-all-poster.jpg', 'show poster portrait'],
  ['Shows/Show/season-all-banner.jpg', 'show banner landscape'],
  ['Shows/Show/poster.jpg', 'show poster portrait'],
  ['Shows/Show/folder.jpg', 'show poster portrait'],
  ['Shows/Show/show.jpg', 'show poster portrait'],
  ['Shows/Show/fanart.jpg', 'show backdrop landscape'],
  ['Shows/Show/banner.jpg', 'show banner landscape'],
  ['Shows/Show/clearlogo.png', 'show logo landscape'],
  ['Shows/Show/characterart.png', 'show character portrait'],
  ['Shows/Show/extrafanart/1.jpg', 'show backdrop landscape'],
  ['Shows/poster.jpg', null],
  ['poster.jpg', null],
];

const track: FakeItem = { media: ['Artist/Album (1999)/CD1/01 - Song.flac'] };

const trackRows: readonly Row[] = [
  ['Artist/Album (1999)/cover.jpg', 'album cover square'],
  ['Artist/Album (1999)/folder.jpg', 'album cover square'],
  ['Artist/Album (1999)/Front.jpg', 'album cover square'],
  ['Artist/Album (1999)/album.png', 'album cover square'],
  ['Artist/Album (1999)/AlbumArt.jpg', 'album cover square'],
  ['Artist/Album (1999)/thumb.jpg', 'album cover square'],
  ['Artist/Album (1999)/CD1/cover.jpg', 'album cover square'],
  ['Artist/Album (1999)/back.jpg', 'album back square'],
  ['Artist/Album (1999)/disc.png', 'album disc square'],
  ['Artist/Album (1999)/cdart.png', 'album disc square'],
  ['Artist/Album (1999)/Artwork/front.jpg', 'album cover square'],
  ['Artist/Album (1999)/Scans/Booklet 03.jpg', 'album booklet'],
  ['Artist/Album (1999)/Scans/IMG_0001.jpg', null],
  ['Artist/Album (1999)/artist.jpg', 'artist artist square'],
  ['Artist/Album (1999)/CD1/01 - Song.jpg', 'item cover square'],
  ['Artist/artist.jpg', 'artist artist square'],
  ['Artist/folder.jpg', 'artist artist square'],
  ['Artist/poster.jpg', 'artist artist square'],
  ['Artist/fanart.jpg', 'artist backdrop landscape'],
  ['Artist/backdrop2.jpg', 'artist backdrop landscape'],
  ['Artist/logo.png', 'artist logo landscape'],
  ['Artist/banner.jpg', 'artist banner landscape'],
  ['Artist/extrafanart/9.jpg', 'artist backdrop landscape'],
  ['cover.jpg', null],
];

describe('the name of a picture', () => {
  test.each(filmRows)('beside a film, %s is %s', (path, expected) => {
    expect(resultOf(film, path)).toBe(expected);
  });

  test.each(episodeRows)('around an episode, %s is %s', (path, expected) => {
    expect(resultOf(episode, path)).toBe(expected);
  });

  test('of the specials is of season 0', () => {
    const special = { ...episode, fields: { series: 'Show', season: 0, episode: 1 } };

    expect(resultOf(special, 'Shows/Show/season-specials-poster.jpg')).toBe(
      'season poster portrait',
    );
    expect(resultOf(special, 'Shows/Show/season00-poster.jpg')).toBe('season poster portrait');
  });

  test('in a show without folders for seasons is the show’s', () => {
    const flat = { media: ['Show/S02E03.mkv'], fields: { series: 'Show', season: 2, episode: 3 } };

    expect(resultOf(flat, 'Show/poster.jpg')).toBe('show poster portrait');
    expect(resultOf(flat, 'Show/season02-poster.jpg')).toBe('season poster portrait');
  });

  test.each(trackRows)('around a track, %s is %s', (path, expected) => {
    expect(resultOf(track, path)).toBe(expected);
  });

  test.each<Row>([
    ['Author/Book/cover.jpg', 'item cover square'],
    ['Author/Book/folder.png', 'item cover square'],
    ['Author/Book/book.jpg', 'item cover square'],
    ['Author/cover.jpg', null],
  ])('beside an audiobook, %s is %s', (path, expected) => {
    expect(resultOf({ media: ['Author/Book/book.m4b'] }, path)).toBe(expected);
  });

  test.each<Row>([
    ['Author/Book (12)/cover.jpg', 'item cover portrait'],
    ['Author/Book (12)/Book - Author.jpg', 'item cover portrait'],
    ['Author/Book (12)/poster.jpg', 'item cover portrait'],
    ['cover.jpg', null],
  ])('beside a book, %s is %s', (path, expected) => {
    expect(resultOf({ media: ['Author/Book (12)/Book - Author.epub'] }, path)).toBe(expected);
  });
});

describe('the pictures of an item', () => {
  test('come with type, place and form, the nearest first', async () => {
    const delta = await deltaOf({
      ...episode,
      beside: [
        'Shows/Show/poster.jpg',
        'Shows/Show/season02-poster.jpg',
        'Shows/Show/Season 02/Show S02E03-thumb.png',
      ],
    });

    expect(delta?.assets).toEqual([
      {
        type: 'thumbnail',
        uri: uriOf('Shows/Show/Season 02/Show S02E03-thumb.png'),
        source: 'sidecars',
        mimeType: 'image/png',
        aspect: 'landscape',
      },
      {
        type: 'poster',
        uri: uriOf('Shows/Show/season02-poster.jpg'),
        source: 'sidecars',
        mimeType: 'image/jpeg',
        aspect: 'portrait',
      },
      {
        type: 'poster',
        uri: uriOf('Shows/Show/poster.jpg'),
        source: 'sidecars',
        mimeType: 'image/jpeg',
        aspect: 'portrait',
      },
    ]);
  });

  test('of a show and a season belong to them as well', async () => {
    const delta = await deltaOf({
      ...episode,
      beside: ['Shows/Show/poster.jpg', 'Shows/Show/season02-poster.jpg'],
    });

    expect(delta?.entities).toEqual({
      show: [
        {
          name: 'Show',
          type: 'show',
          status: 'pending',
          metadata: {
            assets: { poster: { uri: uriOf('Shows/Show/poster.jpg'), aspect: 'portrait' } },
          },
          source: 'sidecars',
        },
      ],
      season: [
        {
          name: 'Season 2',
          type: 'season',
          status: 'pending',
          metadata: {
            show: 'Show',
            season: 2,
            assets: {
              poster: { uri: uriOf('Shows/Show/season02-poster.jpg'), aspect: 'portrait' },
            },
          },
          source: 'sidecars',
        },
      ],
    });
  });
});

describe('a file for a folder', () => {
  const folderFiles = {
    'Films/Heat-poster.jpg': '',
    'Films/English.srt': '',
    'Films/extrafanart/1.jpg': '',
    'Films/movie.nfo': '<movie><title>Whose?</title></movie>',
    'Films/poster.jpg': '',
  };

  test('belongs to a film when the film is alone there', async () => {
    const delta = await deltaOf({ media: ['Films/Heat.mkv'], beside: folderFiles });

    expect(delta?.fields).toEqual({ title: 'Whose?' });
    expect(delta?.assets?.map(({ type }) => type)).toEqual(['poster', 'backdrop', 'poster']);
    expect(delta?.subtitles).toHaveLength(1);
  });

  test('does not belong to one film among several, where only files that are named after it count', async () => {
    const [named, ...shared] = Object.keys(folderFiles);

    const delta = await deltaOf({ media: ['Films/Heat.mkv'], beside: folderFiles, shared });

    expect(delta).toEqual({ assets: [expect.objectContaining({ uri: uriOf(named ?? '') })] });
  });

  test('belongs to the season, whose folder many episodes share', async () => {
    const delta = await deltaOf({
      ...episode,
      beside: ['Shows/Show/Season 02/poster.jpg'],
      shared: ['Shows/Show/Season 02/poster.jpg'],
    });

    expect(delta?.entities?.['season']).toHaveLength(1);
  });
});
