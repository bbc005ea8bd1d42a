import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Identification, MediaTags } from '../../../plugin-api/index.ts';
import { indexFiles } from '../index-files.ts';

const host = undefined as never; // The plugin makes no host call.

const full = async (
  libraryType: string,
  path: string,
  tags: MediaTags,
  beside: readonly MediaTags[] = [],
) => {
  const files = [{ path, size: 1, tags, beside }];
  const input = { libraryId: 'l', libraryType, stage: 'full', files };
  const [found] = (await indexFiles({ ...input, stage: 'full' }, host)).results;
  if (found === null || found === undefined) throw new Error(`no answer for ${path}`);
  return found;
};

const tv = { libraryId: 'l', libraryType: 'tv', stage: 'full' } as const;
const knows = (metadata: Record<string, unknown>) => ({ title: 'x', metadata, ids: {} });

const fieldsOf = ({ title, metadata }: Identification) => ({ title, ...metadata });

/** Names by role, for comparing at a glance. */
const names = ({ entities = {} }: Identification) =>
  Object.fromEntries(
    Object.entries(entities).map(([role, list]) => [role, list.map(({ name }) => name)]),
  );

describe('tags of music', () => {
  const path = 'Ada Berg/Quiet (1999)/03 - the pier.flac';

  test('win over the name', async () => {
    const found = await full('music', path, {
      title: 'The Pier',
      artist: 'Ada Berg feat. Hugo Quinn',
      artists: ['Ada Berg', 'Hugo Quinn'],
      album: 'Quiet Songs',
      track: 4,
      disc: 2,
      date: '2001-05-02',
      genres: ['Folk', 'folk', 'Jazz'],
      composers: ['Ida Moe'],
    });

    expect(fieldsOf(found)).toEqual({
      title: 'The Pier',
      artist: 'Ada Berg feat. Hugo Quinn',
      albumArtist: 'Ada Berg',
      album: 'Quiet Songs',
      track: 4,
      disc: 2,
      year: 2001,
      genres: ['Folk', 'Jazz'],
    });
    expect(names(found)).toEqual({
      artist: ['Ada Berg', 'Hugo Quinn'],
      albumArtist: ['Ada Berg'],
      album: ['Quiet Songs'],
      genre: ['Folk', 'Jazz'],
      composer: ['Ida Moe'],
    });
  });

  test.each([
    [{ title: 'Track 03', artist: 'Unknown Artist', album: '', year: 0, track: 0 }],
    [{ title: 'C:\\rips\\03.flac', artist: 'http://example.org', album: '\u0000 ', year: 9999 }],
    [{ title: '—', track: -4, disc: 100_000, genres: ['', 'Other'] }],
  ])('are ignored when they are placeholders: %j', async (tags: MediaTags) => {
    expect(fieldsOf(await full('music', path, tags))).toEqual({
      title: 'the pier',
      artist: 'Ada Berg',
      albumArtist: 'Ada Berg',
      album: 'Quiet',
      track: 3,
      year: 1999,
    });
  });

  test.each([
    { title: '...', artist: '!!!', album: '÷' },
    { title: 'Untitled', artist: 'Other', album: '=' },
    { title: 'None', artist: 'Other', album: 'Default' },
    { title: 'None', artist: 'Cat/Dog/Fox', album: 'One/Two/Three' },
    { title: 'readme.txt', artist: '🦊', album: '🌙' },
    { title: 'Track 5', artist: 'Ada Berg', album: 'Default' },
    { title: 'Intro/Main/Outro', artist: 'Hugo Quinn', album: 'Untitled' },
  ])('are names although they are signs or look like placeholders: %j', async (tags) => {
    const found = await full('music', 'Someone/Some Album (1999)/01 - Some Song.mp3', tags);

    expect(fieldsOf(found)).toMatchObject({ ...tags, albumArtist: tags.artist });
    expect(names(found)).toMatchObject({ artist: [tags.artist], album: [tags.album] });
  });

  test.each([
    ['Jon & Kay', { albumArtist: 'Jon & Kay', albumArtists: ['Jon', 'Kay'] }],
    ['Jon, Kay', { albumArtists: ['Jon', 'Kay', 'jon', 'Unknown Artist'] }],
  ])('give an album each of its artists, and the words for all: %s', async (all, tags) => {
    const given = { ...tags, album: 'Piers', artist: 'Ada Berg' };
    const found = await full('music', path, given);

    expect(found.metadata).toMatchObject({ artist: 'Ada Berg', albumArtist: all });
    expect(found.entities?.['album']).toMatchObject([{ metadata: { artist: all } }]);
    expect(names(found)).toEqual({
      artist: ['Ada Berg'],
      albumArtist: ['Jon', 'Kay'],
      album: ['Piers'],
    });
    expect(names(await full('music', 'Piers/01.flac', { ...tags, album: 'Piers' }))).toEqual({
      artist: ['Jon', 'Kay'],
      albumArtist: ['Jon', 'Kay'],
      album: ['Piers'],
    });
    expect(names(await full('audiobooks', 'Piers/01.mp3', given))).toMatchObject({
      author: ['Jon', 'Kay'],
    });
  });

  test('leave a compilation one album', async () => {
    const found = await full('music', 'Piers/07 - x.mp3', {
      title: 'Quiet',
      artist: 'Ada Berg',
      album: 'Piers',
      isCompilation: true,
    });

    expect(found.metadata).toMatchObject({ artist: 'Ada Berg', albumArtist: 'Various Artists' });
  });

  test.each([
    ['a sampler', 'Piers/1.mp3', ['Ada Berg', 'Hugo Quinn', 'Ida Moe'], 'Various Artists'],
    ['that of one who has guests', 'Piers/1.mp3', ['Ada Berg', 'Ada Berg & Jon'], 'Ada Berg'],
    ['that of one who has a guest', 'Piers/1.mp3', ['Jon', 'Ada Berg', 'Ada Berg'], 'Ada Berg'],
    ['that of the folder', 'Ada Berg/Piers/1.mp3', ['Jon', 'Ada Berg'], 'Ada Berg'],
    ['that of the one whose name it is', 'Ada/Piers/1.mp3', ['Ada Berg'], 'Ada Berg'],
    ['a sampler of two with one beginning', 'Piers/1.mp3', ['Jon', 'Jonas'], 'Various Artists'],
    ['that of one', 'Piers/1.mp3', ['Ada Berg', 'Ada Berg'], 'Ada Berg'],
  ])('name an album of a folder as %s', async (_, path, [artist = '', ...others], whose) => {
    const album = 'Piers';
    const beside = others.map((name) => ({ artist: name, album }));

    const { metadata } = await full('music', path, { title: 'Quiet', artist, album }, beside);

    expect(metadata).toMatchObject({ artist, albumArtist: whose });
  });
});

describe('tags of audiobooks and books', () => {
  test('name the book by the album of its parts, and its narrator', async () => {
    const found = await full('audiobooks', 'berg/pier/03.mp3', {
      title: 'Chapter 3',
      album: 'The Pier (Unabridged)',
      artist: 'Ada Berg',
      composers: ['Hugo Quinn'],
      series: 'Harbour Cycle',
      volume: 2,
      track: 3,
      trackTotal: 12,
    });

    expect(fieldsOf(found)).toEqual({
      title: 'The Pier',
      author: 'Ada Berg',
      narrator: 'Hugo Quinn',
      bookSeries: 'Harbour Cycle',
      volume: 2,
      part: 3,
    });
    expect(names(found)).toEqual({
      author: ['Ada Berg'],
      narrator: ['Hugo Quinn'],
      series: ['Harbour Cycle'],
    });
  });

  test('give a book its title, its authors and its series', async () => {
    const found = await full('books', 'pier_final_2.epub', {
      title: 'The Pier',
      authors: ['Ada Berg', 'Hugo Quinn'],
      series: 'Harbour Cycle',
      volume: 2,
      ids: { isbn: '9780000000002' },
    });

    expect(fieldsOf(found)).toEqual({
      title: 'The Pier',
      author: 'Ada Berg, Hugo Quinn',
      bookSeries: 'Harbour Cycle',
      volume: 2,
      ids: { isbn: '9780000000002' },
    });
    expect(names(found)['author']).toEqual(['Ada Berg', 'Hugo Quinn']);
  });

  test.each([
    ['Run/Run - Chapter-1.cbz', { issue: 1 }, { chapter: 1 }],
    ['Run/Run 012.cbz', { issue: 12 }, { volume: 12 }],
    ['Run/Run 012.cbz', { issue: 12, volume: 2 }, { volume: 2, chapter: 12 }],
    ['Run/Run v03.cbz', { issue: 14.5 }, { volume: 3, chapter: 14.5 }],
    ['Run/Annual.cbz', { issue: 0 }, { chapter: 0 }],
  ])('give the issue or the chapter of %s, never its volume', async (path, tags, numbers) => {
    const { title, ...fields } = fieldsOf(
      await full('books', path, { title: 'Any', series: 'Run', ...tags }),
    );
    expect({ title, fields }).toEqual({ title: 'Any', fields: { bookSeries: 'Run', ...numbers } });
  });

  test('are not a title when a program wrote them', async () => {
    const found = await full('books', 'Ada Berg - The Pier.pdf', {
      title: 'Microsoft Word - draft7.doc',
    });

    expect(found.title).toBe('The Pier');
  });
});

describe('tags of films and episodes', () => {
  test('fill gaps of the name and change nothing else', async () => {
    const tags = { title: 'ripped by NOVA', year: 2007, description: 'A pier.', genres: ['Drama'] };

    expect(
      fieldsOf(await full('movies', 'Quiet Harbour (1987)/Quiet Harbour (1987).mkv', tags)),
    ).toEqual({ title: 'Quiet Harbour', year: 1987, overview: 'A pier.', genres: ['Drama'] });
    expect((await full('movies', 'Quiet Harbour.mkv', tags)).metadata['year']).toBe(2007);
  });

  test('name a film that has no name', async () => {
    expect((await full('movies', 'VTS_01_1.mkv', { title: 'Quiet Harbour' })).title).toBe(
      'Quiet Harbour',
    );
    const release = { title: 'Quiet.Harbour.1987.1080p.BluRay.x264-NOVA' };
    expect((await full('movies', 'VTS_01_1.mkv', release)).title).toBe('VTS 01 1');
  });

  test('give an episode a title that its name lacks', async () => {
    const path = 'Harbour/Season 1/Harbour S01E02.mkv';

    expect((await full('tv', path, { title: 'The Pier' })).title).toBe('The Pier');
    expect((await full('tv', path, { title: 'Harbour S01E02 720p' })).title).toBe('Harbour S01E02');
  });

  test('number an episode whose name has no number', async () => {
    const found = await full('tv', 'Harbour/pier.mp4', { show: 'X', season: 3, episode: 4 });

    expect(found.metadata).toEqual({ series: 'Harbour', season: 3, episode: 4 });
    expect(names(found)).toEqual({ show: ['Harbour'], season: ['Season 3'] });
  });

  test('do not change an extra', async () => {
    const path = 'Quiet Harbour (1987)/Trailers/Trailer.mp4';

    expect((await full('movies', path, { title: 'X', year: 1990 })).metadata['year']).toBe(1987);
  });
});

describe('values from sidecars', () => {
  test('name the show and the artist, so that each exists once', async () => {
    const files = [
      { path: 'Harbour/S01E02.mkv', size: 1, known: knows({ series: 'The Harbour' }) },
    ];
    const [found] = (await indexFiles({ ...tv, files }, host)).results;

    expect(found && names(found)).toEqual({ show: ['The Harbour'], season: ['Season 1'] });
  });

  test('win over tags with other values, and over no other tag', async () => {
    const tags = { artist: 'A. Berg', title: 'The Pier' };
    const known = knows({ artist: 'Ada Berg', album: 'Quiet' });
    const files = [{ path: 'berg/Quiet/01 x.mp3', size: 1, tags, known }];
    const [found] = (await indexFiles({ ...tv, libraryType: 'music', files }, host)).results;

    expect(found && fieldsOf(found)).toMatchObject({ title: 'The Pier', artist: 'Ada Berg' });
    expect(found && names(found)['artist']).toEqual(['Ada Berg']);
  });
});

describe('tags of photos', () => {
  test('give the time and the camera', async () => {
    const takenAt = '2019-05-12T10:30:00';
    const found = await full('photos', 'a/IMG_1.jpg', { takenAt, camera: 'Nikon D70' });

    expect(fieldsOf(found)).toEqual({
      title: 'IMG_1',
      album: 'a',
      year: 2019,
      takenAt,
      camera: 'Nikon D70',
    });
  });
});

test('the answer has a title and is valid JSON for any tags', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 });
  const tags = fc.record(
    {
      title: text, artist: text, artists: fc.array(text), albumArtist: text, albumArtists: fc.array(text), album: text, show: text,
      authors: fc.array(text), genres: fc.array(text), date: text, takenAt: text, description: text,
      track: fc.double(), year: fc.double(), season: fc.double(), volume: fc.double(),
    },
    { requiredKeys: [] },
  ); // oxfmt-ignore
  const libraries = fc.constantFrom('movies', 'tv', 'music', 'audiobooks', 'books', 'photos');
  await fc.assert(
    fc.asyncProperty(libraries, tags, async (libraryType, given) => {
      const found = await full(libraryType, 'a/b/01.mkv', given);
      expect(found.title.trim()).not.toBe('');
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      expect(JSON.stringify(found).isWellFormed()).toBe(true);
    }),
  );
});
