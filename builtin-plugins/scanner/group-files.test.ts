import { describe, expect, test } from 'vitest';
import type { Host, Identification } from '../../plugin-api/index.ts';
import { describeLibrary } from './describe-library.ts';
import { groupFiles } from './group-files.ts';

type Named = readonly [path: string, identification: Identification | null];

const host = {} as Host;

async function keysOf(libraryType: string, files: readonly Named[]): Promise<readonly string[]> {
  const { keys } = await groupFiles(
    {
      libraryId: 'library',
      libraryType,
      files: files.map(([path, identification]) => ({ path, identification })),
    },
    host,
  );
  return keys;
}

/** How many items the files are. */
const itemsOf = async (libraryType: string, files: readonly Named[]): Promise<number> =>
  new Set(await keysOf(libraryType, files)).size;

const named = (
  title: string,
  metadata: Identification['metadata'] = {},
  more: Partial<Identification> = {},
): Identification => ({ title, metadata, classification: 'primary', ...more });

const film = named('The Film', { year: 2010 });
const extra = named('The Film', { year: 2010 }, { classification: 'extra' });

describe('library.group of films', () => {
  test.each<[string, number, readonly Named[]]>([
    [
      'parts of a film are one item',
      1,
      [
        ['The Film (2010)/The Film (2010) cd1.avi', film],
        ['The Film (2010)/The Film (2010) cd2.avi', film],
      ],
    ],
    [
      'a version in a folder with the name of its edition is one item with the film',
      1,
      [
        ['The Film (2010)/The Film (2010).mkv', film],
        [
          'The Film (2010)/Extended/The Film (2010).mkv',
          named('The Film', { year: 2010 }, { edition: 'Extended' }),
        ],
      ],
    ],
    [
      'parts in folders of discs are one item',
      1,
      [
        ['The Film (2010)/CD1/film.avi', film],
        ['The Film (2010)/CD2/film.avi', film],
      ],
    ],
    [
      'versions in one folder, or in folders of versions, are one item',
      1,
      [
        ['The Film (2010)/The Film (2010) - 2160p.mkv', film],
        ['The Film (2010)/The.Film.2010.1080p.mkv', named('the film', { year: 2010 })],
        ['The Film (2010)/4K/The Film.mkv', film],
      ],
    ],
    [
      'extras in the folders of a film are its item',
      1,
      [
        ['The Film (2010)/The Film (2010).mkv', film],
        ['The Film (2010)/Extras/Making of.mkv', extra],
        ['The Film (2010)/Behind The Scenes/Interview.mkv', extra],
        ['The Film (2010)/The Film (2010)-trailer.mkv', extra],
      ],
    ],
    [
      'a disc is one item',
      1,
      [
        ['The Film (2010)/VIDEO_TS/VTS_01_1.VOB', film],
        ['The Film (2010)/VIDEO_TS/VTS_01_2.VOB', film],
        ['The Film (2010)/BDMV/STREAM/00001.m2ts', film],
      ],
    ],
    [
      'discs of versions, and a disc with extras, are one item',
      1,
      [
        ['The Film (2010)/The Film (2010) - 1080p/BDMV/STREAM/00001.m2ts', film],
        ['The Film (2010)/The Film (2010) - 2160p/BDMV/STREAM/00001.m2ts', film],
        ['The Film (2010)/The Film (2010) [DVD]/DVD1/VIDEO_TS/VTS_01_1.VOB', film],
        ['The Film (2010)/Extras/Bonus Disc/BDMV/STREAM/00003.m2ts', extra],
      ],
    ],
    [
      'films whose folders begin with the name of the one above are items of their own',
      3,
      [
        ['The Film/The Film (2010)/film.mkv', film],
        ['The Film/The Film 2 (2012)/film.mkv', named('The Film 2', { year: 2012 })],
        ['The Film/The Film (1955)/film.mkv', named('The Film', { year: 1955 })],
      ],
    ],
    [
      'films of one folder are items of their own',
      3,
      [
        ['Films/The Film (2010).mkv', film],
        ['Films/The Film (1955).mkv', named('The Film', { year: 1955 })],
        ['Films/Another (2010).mkv', named('Another', { year: 2010 })],
      ],
    ],
    [
      'one film in two folders stays two items, which an admin may merge',
      2,
      [
        ['A/The Film (2010).mkv', film],
        ['B/The Film (2010).mkv', film],
      ],
    ],
    [
      'titles of other scripts are told apart',
      3,
      [
        ['千年の庭.mkv', named('千年の庭')],
        ['静かな港.mkv', named('静かな港')],
        ['!!!.mkv', named('!!!')],
      ],
    ],
    [
      'the two ways of writing an accent are one title',
      1,
      [
        ['Amélie.mkv', named('Amélie')],
        ['Ame\u0301lie.avi', named('Ame\u0301lie')],
      ],
    ],
    [
      'an unidentified file goes by its name, without the part',
      2,
      [
        ['Home video cd1.avi', null],
        ['Home video cd2.avi', null],
        ['Other video.avi', null],
      ],
    ],
  ])('%s', async (_sentence, items, files) => {
    expect(await itemsOf('movies', files)).toBe(items);
  });
});

const episode = (season: number, number: number, more: Identification['metadata'] = {}) =>
  named('Pilot', { series: 'The Show', season, episode: number, ...more });

describe('library.group of series', () => {
  test.each<[string, number, readonly Named[]]>([
    [
      'each episode is an item',
      2,
      [
        ['The Show/Season 1/The Show S01E01.mkv', episode(1, 1)],
        ['The Show/Season 1/The Show S01E02.mkv', episode(1, 2)],
      ],
    ],
    [
      'two versions of one episode are one item, wherever they lie',
      1,
      [
        ['The Show/Season 1/The Show S01E01 720p.mkv', episode(1, 1)],
        [
          'The.Show.S01.1080p/the.show.s01e01.mkv',
          named('x', { series: 'the show', season: 1, episode: 1 }),
        ],
      ],
    ],
    [
      'a recap between two episodes is neither of them',
      3,
      [
        ['The Show/The Show S01E13.mkv', episode(1, 13)],
        ['The Show/The Show S01E13.5.mkv', episode(1, 13.5)],
        ['The Show/The Show S01E14.mkv', episode(1, 14)],
      ],
    ],
    [
      'a file with two episodes is not the file with the first of them',
      2,
      [
        ['The Show/S01E01.mkv', episode(1, 1)],
        ['The Show/S01E01E02.mkv', episode(1, 1, { episodes: [1, 2] })],
      ],
    ],
    [
      'series of one name and different years are apart',
      2,
      [
        ['The Show (1978)/S01E01.mkv', episode(1, 1, { year: 1978 })],
        ['The Show (2004)/S01E01.mkv', episode(1, 1, { year: 2004 })],
      ],
    ],
    [
      'days and absolute numbers name an episode too',
      3,
      [
        ['Daily/2020-01-01.mkv', named('x', { series: 'Daily', airDate: '2020-01-01' })],
        ['Daily/2020-01-02.mkv', named('x', { series: 'Daily', airDate: '2020-01-02' })],
        ['Anime/Anime - 101.mkv', named('x', { series: 'Anime', absoluteEpisode: 101 })],
        [
          'Anime/[Group] Anime - 101 [1080p].mkv',
          named('x', { series: 'Anime', absoluteEpisode: 101 }),
        ],
      ],
    ],
    [
      'extras that name no episode, and unidentified files, are items of their own',
      4,
      [
        [
          'The Show/Extras/a.mkv',
          named('The Show', { series: 'The Show' }, { classification: 'extra' }),
        ],
        [
          'The Show/Extras/b.mkv',
          named('The Show', { series: 'The Show' }, { classification: 'extra' }),
        ],
        ['The Show/odd.mkv', null],
        ['The Show/odder.mkv', null],
      ],
    ],
    [
      'the extra of an episode is its item',
      1,
      [
        ['The Show/S01E01.mkv', episode(1, 1)],
        ['The Show/S01E01-deleted.mkv', { ...episode(1, 1), classification: 'deleted-scene' }],
      ],
    ],
  ])('%s', async (_sentence, items, files) => {
    expect(await itemsOf('tv', files)).toBe(items);
  });
});

describe('library.group of everything else', () => {
  const book = named('The Book', { author: 'Writer' });

  test.each<[string, string, number, readonly Named[]]>([
    [
      'a track is an item',
      'music',
      3,
      [
        ['A/B/01 One.flac', named('One')],
        ['A/B/02 Two.flac', named('Two')],
        ['A/C/01 One.flac', named('One')],
      ],
    ],
    [
      'an audiobook is one item with all its parts and discs',
      'audiobooks',
      1,
      [
        ['Writer/The Book/Disc 1/01.mp3', book],
        ['Writer/The Book/Disc 1/02.mp3', book],
        ['Writer/The Book/CD2/01.mp3', book],
        ['Writer/The Book/The Book (Disc 03)/01.mp3', book],
        ['Writer/The Book - CD4/01.mp3', book],
      ],
    ],
    [
      'two audiobooks of one folder are two items',
      'audiobooks',
      2,
      [
        ['Writer/The Book.m4b', book],
        ['Writer/The Sequel.m4b', named('The Sequel')],
      ],
    ],
    [
      'of unidentified audiobooks the folder is the book',
      'audiobooks',
      2,
      [
        ['Writer/The Book/a.mp3', null],
        ['Writer/The Book/b.mp3', null],
        ['Writer/The Book/The Book (Disc 2)/c.mp3', null],
        ['Loose 01.mp3', null],
        ['Loose 02.mp3', null],
      ],
    ],
    [
      'formats of one book are one item',
      'books',
      1,
      [
        ['Writer/The Book/The Book.epub', book],
        ['Writer/The Book/the_book.pdf', named('the book', { author: 'Writer' })],
      ],
    ],
    [
      'issues and volumes are apart',
      'books',
      3,
      [
        ['Comic/Comic 001.cbz', named('Comic #1', { bookSeries: 'Comic', volume: 1 })],
        ['Comic/Comic 002.cbz', named('Comic #2', { bookSeries: 'Comic', volume: 2 })],
        [
          'Comic/Comic v02 c001.cbz',
          named('Comic #2', { bookSeries: 'Comic', volume: 2, chapter: 1 }),
        ],
      ],
    ],
    [
      'formats of an unidentified book go by their name',
      'books',
      1,
      [
        ['x/Thing.epub', null],
        ['x/Thing.pdf', null],
      ],
    ],
    [
      'a photo in both formats of a phone is an item with its film',
      'photos',
      1,
      [
        ['2020/IMG_1.JPG', named('IMG_1')],
        ['2020/IMG_1.heic', named('IMG_1')],
        ['2020/IMG_1.mov', named('IMG_1')],
      ],
    ],
    [
      'any other photo is an item',
      'photos',
      6,
      [
        ['2020/IMG_1.jpg', named('IMG_1')],
        ['2020/IMG_1.png', named('IMG_1')],
        ['2020/IMG_1.mkv', named('IMG_1')],
        ['2020/IMG_2.jpg', named('IMG_2')],
        ['2020/img_1.jpg', named('img_1')],
        ['2021/IMG_1.jpg', named('IMG_1')],
      ],
    ],
    [
      'in a library of an unknown type each file is an item',
      'maps',
      2,
      [
        ['a.png', named('Same')],
        ['b.png', named('Same')],
      ],
    ],
  ])('%s', async (_sentence, type, items, files) => {
    expect(await itemsOf(type, files)).toBe(items);
  });

  test('a key does not depend on the batch of the file', async () => {
    const files: readonly Named[] = [
      ['The Film (2010)/Extras/Making of.mkv', extra],
      ['The Film (2010)/The Film.mkv', film],
    ];
    const together = await keysOf('movies', files);
    const apart = await Promise.all(files.map((file) => keysOf('movies', [file])));

    expect(apart.flat()).toEqual(together);
  });
});

describe('library.describe', () => {
  test.each([
    ['movies', ['mkv', 'mp4', 'avi', 'm2ts', 'vob', 'webm'], 'mp3'],
    ['tv', ['mkv', 'ts', 'wtv'], 'jpg'],
    ['music', ['mp3', 'flac', 'm4a', 'opus', 'dsf'], 'mkv'],
    ['audiobooks', ['m4b', 'mp3', 'aax', 'opus'], 'epub'],
    ['books', ['epub', 'pdf', 'cbz', 'azw3', 'mobi'], 'mp3'],
    ['photos', ['jpg', 'heic', 'dng', 'cr3', 'mov'], 'mp3'],
    ['maps', ['mkv', 'mp3', 'epub', 'jpg'], 'txt'],
  ])('names the media of %s, lower case and each once', async (libraryType, some, other) => {
    const { extensions } = await describeLibrary({ libraryType }, host);

    expect(extensions).toEqual(expect.arrayContaining(some));
    expect(extensions).not.toContain(other);
    expect(extensions).toEqual([...new Set(extensions.map((text) => text.toLowerCase()))]);
  });

  test.each([
    ['movies', ['srt', 'idx', 'nfo', 'jpg', 'tbn'], 'cue'],
    ['music', ['lrc', 'nfo', 'cue', 'jpg'], 'srt'],
    ['audiobooks', ['opf', 'nfo', 'jpg', 'json'], 'epub'],
    ['books', ['opf', 'jpg', 'xml'], 'pdf'],
    ['photos', ['xmp', 'json'], 'jpg'],
    ['maps', ['srt', 'nfo', 'opf'], 'png'],
  ])('names the sidecars of %s, none of which is media', async (type, some, other) => {
    const { extensions, auxiliary = [] } = await describeLibrary({ libraryType: type }, host);

    expect(auxiliary).toEqual(expect.arrayContaining(some));
    expect(auxiliary).not.toContain(other);
    expect(auxiliary.filter((extension) => extensions.includes(extension))).toEqual([]);
  });
});
