import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { deltaOf, entityOf, uriOf } from '../fake-item.ts';

const sample = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../samples', name), 'utf8');

const person = (name: string, more = {}) => entityOf('person', name, more);
const named = (type: string, ...names: readonly string[]) =>
  names.map((name) => entityOf(type, name));

const chapter = (uri: string, startTime: number, endTime: number, title: string) => ({
  mediaFileUri: uriOf(uri),
  startTime,
  endTime,
  title,
  role: 'chapter',
});

describe('an OPF', () => {
  test('of Calibre is read completely, with the cover that it names', async () => {
    const delta = await deltaOf({
      media: ['Nora Example/The Salt Road (417)/The Salt Road - Nora Example.epub'],
      beside: {
        'Nora Example/The Salt Road (417)/metadata.opf': sample('calibre.opf'),
        'Nora Example/The Salt Road (417)/cover.jpg': '',
      },
    });

    expect(delta).toEqual({
      fields: {
        title: 'The Salt Road',
        sortTitle: 'Salt Road, The',
        author: 'Nora Example, Max Muster',
        bookSeries: 'The Roads',
        volume: 2.5,
        year: 2014,
        airDate: '2014-05-06',
        overview: 'A road of salt.\nAnd no water & no end.',
        genres: ['Fantasy', 'Epic'],
        rating: 8,
        'sidecars.publisher': 'Tor Beispiel',
        'sidecars.language': 'en',
      },
      ids: {
        isbn: { id: '9780765326379' },
        asin: { id: 'B00ABCDEF0' },
        goodreads: { id: '17332218' },
      },
      entities: {
        author: [
          person('Nora Example', { metadata: { sortName: 'Example, Nora' } }),
          person('Max Muster', { metadata: { sortName: 'Muster, Max' } }),
        ],
        translator: named('person', 'Tilda Transl'),
        illustrator: named('person', 'Ines Bild'),
        series: [entityOf('series', 'The Roads', { metadata: { volume: 2.5 } })],
        genre: named('genre', 'Fantasy', 'Epic'),
        studio: named('studio', 'Tor Beispiel'),
      },
      assets: [
        {
          type: 'cover',
          uri: uriOf('Nora Example/The Salt Road (417)/cover.jpg'),
          source: 'sidecars',
          mimeType: 'image/jpeg',
          aspect: 'portrait',
        },
      ],
    });
  });

  test('of an audiobook in the form of EPUB 3 is read completely', async () => {
    const delta = await deltaOf({
      media: ['Book/book.m4b'],
      beside: { 'Book/book.opf': sample('audiobook.opf') },
    });

    expect(delta).toEqual({
      fields: {
        title: 'The Salt Road',
        author: 'Nora Example',
        narrator: 'Ned Narrator, Nia Narrator',
        bookSeries: 'The Roads',
        volume: 2,
        year: 2015,
        overview: 'A road of salt.',
        genres: ['Fantasy', 'Epic'],
        'sidecars.subtitle': 'A Novel',
        'sidecars.publisher': 'Hörbuch Beispiel',
        'sidecars.language': 'en-GB',
      },
      ids: { isbn: { id: '9780765326379' }, asin: { id: 'B00ABCDEF0' } },
      entities: {
        author: [person('Nora Example', { metadata: { sortName: 'Example, Nora' } })],
        narrator: named('person', 'Ned Narrator', 'Nia Narrator'),
        series: [
          entityOf('series', 'The Roads', { metadata: { volume: 2 } }),
          entityOf('series', 'The Whole World', { metadata: { volume: 14 } }),
        ],
        genre: named('genre', 'Fantasy', 'Epic'),
        studio: named('studio', 'Hörbuch Beispiel'),
      },
    });
  });

  test('names a cover of any name, if it is there', async () => {
    const opf = (href: string) =>
      `<package><metadata><title>A</title></metadata><guide><reference type="cover" href="${href}"/></guide></package>`;
    const read = (href: string) =>
      deltaOf({
        media: ['A/a.epub'],
        beside: { 'A/metadata.opf': opf(href), 'A/front-page.png': '', 'secret.png': '' },
      });

    expect((await read('front-page.png'))?.assets?.map(({ uri }) => uri)).toEqual([
      uriOf('A/front-page.png'),
    ]);
    expect((await read('../secret.png'))?.assets).toBeUndefined();
    expect((await read('gone.png'))?.assets).toBeUndefined();
  });

  test('of EPUB 3 names its title and its subtitle, in any order', async () => {
    const opf =
      '<package><metadata><dc:title id="a">Sub</dc:title><dc:title id="b">Set</dc:title><dc:title id="c">Main</dc:title>' +
      [
        ['a', 'title-type', 'subtitle'],
        ['b', 'title-type', 'collection'],
        ['c', 'title-type', 'main'],
        ['c', 'file-as', 'M'],
      ]
        .map(([id, key, value]) => `<meta refines="#${id}" property="${key}">${value}</meta>`)
        .join('') +
      '</metadata></package>';

    expect(await deltaOf({ media: ['A/a.epub'], beside: { 'A/metadata.opf': opf } })).toEqual({
      fields: { title: 'Main', sortTitle: 'M', 'sidecars.subtitle': 'Sub' },
    });
  });

  test('without a date gives no year: Calibre writes the year 101', async () => {
    const opf =
      '<package><metadata><dc:title>A</dc:title><dc:date>0101-01-01T00:00:00+00:00</dc:date></metadata></package>';

    expect(await deltaOf({ media: ['A/a.epub'], beside: { 'A/metadata.opf': opf } })).toEqual({
      fields: { title: 'A' },
    });
  });

  test('in the root is ignored unless it has the book’s name', async () => {
    const text = '<package><metadata><title>A</title></metadata></package>';
    const read = (name: string) => deltaOf({ media: ['a.epub'], beside: { [name]: text } });

    expect(await read('metadata.opf')).toBeNull();
    expect((await read('a.opf'))?.fields).toEqual({ title: 'A' });
  });
});

describe('a metadata.json of an audiobook', () => {
  const beside = { 'Book/metadata.json': sample('metadata.json') };

  test('is read completely, its chapters cut where the files end', async () => {
    const delta = await deltaOf({
      media: ['Book/1.mp3', 'Book/2.mp3'],
      fields: { author: 'N. E.' },
      durations: [1200.25, 1200],
      beside,
    });

    expect(delta).toEqual({
      fields: {
        title: 'The Salt Road',
        author: 'Nora Example, Max Muster',
        narrator: 'Ned Narrator',
        bookSeries: 'The Roads',
        volume: 2.5,
        year: 2014,
        overview: 'A road of salt.',
        genres: ['Fantasy'],
        'sidecars.subtitle': 'A Novel',
        'sidecars.publisher': 'Tor Beispiel',
        'sidecars.language': 'en',
        'sidecars.tags': ['owned'],
        'sidecars.isAbridged': true,
      },
      ids: { isbn: { id: '9780765326379' }, asin: { id: 'B00ABCDEF0' } },
      entities: {
        author: named('person', 'Nora Example', 'Max Muster'),
        narrator: named('person', 'Ned Narrator'),
        series: [
          entityOf('series', 'The Roads', { metadata: { volume: 2.5 } }),
          entityOf('series', 'The Whole World'),
        ],
        genre: named('genre', 'Fantasy'),
        studio: named('studio', 'Tor Beispiel'),
      },
      chapters: [
        chapter('Book/1.mp3', 0, 600.5, 'Opening'),
        chapter('Book/1.mp3', 600.5, 1200.25, 'The Gate'),
        chapter('Book/2.mp3', 0, 599.75, 'The Gate'),
        chapter('Book/2.mp3', 599.75, 1200, 'The Road'),
      ],
    });
  });

  test('gives its chapters to the only file, and none when durations are unknown', async () => {
    const one = await deltaOf({ media: ['Book/1.m4b'], beside });
    const two = await deltaOf({ media: ['Book/1.m4b', 'Book/2.m4b'], beside });

    expect(one?.chapters).toEqual([
      chapter('Book/1.m4b', 0, 600.5, 'Opening'),
      chapter('Book/1.m4b', 600.5, 1800, 'The Gate'),
      chapter('Book/1.m4b', 1800, 2400.25, 'The Road'),
    ]);
    expect(two?.chapters).toBeUndefined();
  });

  test.each(['', '[]', '{}', 'null', '{"title": 7', '[[[[', '{"title": ["a"]}', '{"title":" "}'])(
    'of another kind gives nothing: %s',
    async (text) => {
      expect(
        await deltaOf({ media: ['Book/1.m4b'], beside: { 'Book/metadata.json': text } }),
      ).toBeNull();
    },
  );

  test('is read in spite of invalid values', async () => {
    const text = JSON.stringify({
      title: 'A',
      authors: 'nobody',
      narrators: [1, null, 'Ned'],
      series: ['#', 'B #x', 'C #3'],
      chapters: [null, { start: -1 }, { start: '0' }, { start: 5, end: 2, title: 'T' }],
      publishedYear: 'soon',
      language: 'none at all',
    });

    expect(
      await deltaOf({ media: ['Book/1.m4b'], beside: { 'Book/metadata.json': text } }),
    ).toEqual({
      fields: { title: 'A', narrator: 'Ned', bookSeries: '#' },
      entities: {
        narrator: named('person', 'Ned'),
        series: [
          entityOf('series', '#'),
          entityOf('series', 'B #x'),
          entityOf('series', 'C', { metadata: { volume: 3 } }),
        ],
      },
      chapters: [{ mediaFileUri: uriOf('Book/1.m4b'), startTime: 5, title: 'T', role: 'chapter' }],
    });
  });
});

test('desc.txt and reader.txt describe an audiobook', async () => {
  expect(
    await deltaOf({
      media: ['Author/Book/1.mp3'],
      fields: { author: 'Author' },
      beside: {
        'Author/Book/desc.txt': 'A road of salt.\r\nAnd no end.\r\n',
        'Author/Book/reader.txt': 'Ned Narrator, Nia Narrator\n',
      },
    }),
  ).toEqual({
    fields: { overview: 'A road of salt.\nAnd no end.', narrator: 'Ned Narrator, Nia Narrator' },
    entities: { narrator: named('person', 'Ned Narrator', 'Nia Narrator') },
  });
});

describe('a ComicInfo.xml', () => {
  const beside = { 'Harbour Comics/ComicInfo.xml': sample('ComicInfo.xml') };

  test('beside its issue is read completely', async () => {
    expect(await deltaOf({ media: ['Harbour Comics/012.cbz'], beside })).toEqual({
      fields: {
        title: 'The Drowned Bell',
        author: 'Scott Beispiel, Greg Muster',
        bookSeries: 'Harbour Comics',
        chapter: 12,
        year: 2012,
        airDate: '2012-08-15',
        overview: 'A bell rings under water.',
        genres: ['Superhero', 'Crime'],
        rating: 9,
        certification: 'Teen',
        'sidecars.publisher': 'DC Beispiel',
        'sidecars.language': 'en',
        'sidecars.tags': ['owls'],
        'sidecars.imprint': 'Black Label',
        'sidecars.storyArcs': ['Night of the Bells'],
        'sidecars.characters': ['Diver', 'Bell Ringer'],
        'sidecars.pages': 33,
      },
      ids: { isbn: { id: '9781401235413' } },
      entities: {
        author: named('person', 'Scott Beispiel', 'Greg Muster'),
        penciller: named('person', 'Greg Muster'),
        inker: named('person', 'Jon Tusche'),
        colorist: named('person', 'Fay Farbe'),
        letterer: named('person', 'Lea Letter'),
        coverArtist: named('person', 'Greg Muster'),
        editor: named('person', 'Mike Lektor'),
        collection: named('series', 'Night of the Bells'),
        series: named('series', 'Harbour Comics'),
        genre: named('genre', 'Superhero', 'Crime'),
        studio: named('studio', 'DC Beispiel'),
      },
    });
  });

  test('gives no chapter where the name has its number as the issue', async () => {
    const fields = { volume: 12 };
    const delta = await deltaOf({ media: ['Harbour Comics/012.cbz'], fields, beside });

    expect(delta?.fields).toMatchObject({ title: 'The Drowned Bell' });
    expect(delta?.fields).not.toHaveProperty('chapter');
  });

  test('beside another issue of its series gives only what they share', async () => {
    const fields = { chapter: 13 };

    expect((await deltaOf({ media: ['Harbour Comics/013.cbz'], fields, beside }))?.fields).toEqual({
      bookSeries: 'Harbour Comics',
      genres: ['Superhero', 'Crime'],
      certification: 'Teen',
      'sidecars.publisher': 'DC Beispiel',
      'sidecars.language': 'en',
      'sidecars.imprint': 'Black Label',
    });
  });
});
