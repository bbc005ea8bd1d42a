import { describe, expect, test, vi } from 'vitest';
import { bundleOf, deltaOf, entityOf, readItems } from '../fake-item.ts';
import { isTakeoutOf } from '../item/takeout-name.ts';
import { readTakeout } from './takeout.ts';

const rdf = (content: string, attributes = ''): string =>
  `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description rdf:about="" ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const list = (kind: string, ...texts: readonly string[]): string =>
  `<rdf:${kind}>${texts.map((text) => `<rdf:li>${text}</rdf:li>`).join('')}</rdf:${kind}>`;

const xmp = rdf(
  `<dc:title>${list('Alt', 'The Pier')}</dc:title><dc:description>${list('Alt', 'At noon.')}</dc:description>` +
    `<dc:subject>${list('Bag', 'sea', 'sun')}</dc:subject><digiKam:TagsList>${list('Seq', 'Places/Harbour')}</digiKam:TagsList>` +
    '<exif:GPSLatitude>48,12.5N</exif:GPSLatitude><exif:GPSLongitude>16,30,36W</exif:GPSLongitude>' +
    '<mwg-rs:Regions><rdf:Description><mwg-rs:RegionList><rdf:Bag>' +
    '<rdf:li><rdf:Description mwg-rs:Name="Ada Berg" mwg-rs:Type="Face"/></rdf:li>' +
    '<rdf:li mwg-rs:Name="Rex" mwg-rs:Type="Pet"/></rdf:Bag></mwg-rs:RegionList></rdf:Description></mwg-rs:Regions>',
  'xmp:Rating="4" exif:DateTimeOriginal="2021-07-04T12:30:00+02:00" photoshop:City="Vienna" photoshop:Country="Austria"',
);

describe('XMP beside a photo', () => {
  test.each(['P/IMG_1.jpg.xmp', 'P/IMG_1.xmp', 'P/img_1.JPG.XMP'])(
    'is read as %s',
    async (path) => {
      expect(await deltaOf({ media: ['P/IMG_1.jpg'], beside: { [path]: xmp } })).toEqual({
        fields: {
          title: 'The Pier',
          overview: 'At noon.',
          takenAt: '2021-07-04T12:30:00+02:00',
          year: 2021,
          rating: 8,
          latitude: 48 + 12.5 / 60,
          longitude: -(16 + 30 / 60 + 36 / 3600),
          place: 'Vienna, Austria',
          'sidecars.tags': ['sea', 'sun', 'Harbour'],
        },
        entities: { person: [entityOf('person', 'Ada Berg')] },
      });
    },
  );

  test('of another photo, or without sense, says nothing', async () => {
    const read = (name: string, text: string) =>
      deltaOf({ media: ['P/IMG_1.jpg'], beside: { [name]: text } });
    vi.spyOn(console, 'warn').mockReturnValue();

    expect(await read('P/IMG_1.png.xmp', xmp)).toBeNull();
    expect(await read('P/IMG_1-2.xmp', xmp)).toBeNull();
    const bad =
      'xmp:Rating="-1" exif:DateTimeOriginal="0000:00:00" exif:GPSLatitude="95" exif:GPSLongitude="x"';
    for (const text of ['', 'x', xmp.slice(0, 40), '<a/>', rdf('', bad), '<rdf:li>'.repeat(20_000)])
      expect(await read('P/IMG_1.xmp', text)).toBeNull();
    vi.restoreAllMocks();
  });
});

const takeout = (more: object = {}): string =>
  JSON.stringify({
    title: 'IMG_1.jpg',
    photoTakenTime: { timestamp: '1625394600', formatted: '04.07.2021' },
    geoData: { latitude: 0, longitude: 0 },
    ...more,
  });

describe('the JSON of Google Takeout', () => {
  test('says when and where a photo was taken, by the name of the archive', async () => {
    const text = takeout({
      description: 'At noon.',
      favorited: true,
      people: [{ name: 'Ada Berg' }, {}],
      geoData: { latitude: 48.25, longitude: -16.5, altitude: 0 },
    });

    expect(
      await deltaOf({
        media: ['P/IMG_1(2).jpg'],
        beside: {
          'P/IMG_1.jpg.supplemental-metadata(2).json': text,
          'P/IMG_1.jpg.json': takeout(),
        },
      }),
    ).toEqual({
      fields: {
        overview: 'At noon.',
        takenAt: '2021-07-04T10:30:00Z',
        year: 2021,
        latitude: 48.25,
        longitude: -16.5,
        'sidecars.isFavourite': true,
      },
      entities: { person: [entityOf('person', 'Ada Berg')] },
    });
  });

  const named = 'a_name_of_fifty_letters_that_the_archive_has_cut';
  test.each([
    ['img_1.jpg', 'img_1.jpg', true],
    ['img_1.jpg.supplemental-metadata', 'img_1.jpg', true],
    ['img_1.jpg.suppl', 'img_1.jpg', true],
    ['img_1.jpg(1)', 'img_1(1).jpg', true],
    ['img_1.jpg(1)', 'img_1.jpg', false],
    ['img_1.jpg', 'img_1(1).jpg', false],
    ['img_1.jpg', 'img_1-edited.jpg', true],
    ['img_1.jpg(1)', 'img_1-bearbeitet(1).jpg', true],
    ['img_1.heic', 'img_1.jpg', false],
    ['img_1.jpg.other', 'img_1.jpg', false],
    ['img_1', 'img_1.jpg', false],
    [named.slice(0, 46), `${named}.jpg`, true],
    [`${named}.jpg`.slice(0, 46), `${named}.jpg`, true],
    [named.slice(0, 30), `${named}.jpg`, false],
  ])('%s is that of %s: %s', (json, photo, isOwn) => {
    expect(isTakeoutOf(json, photo)).toBe(isOwn);
  });

  test('corrects the time of the camera, and never moves it to another zone', () => {
    const read = (takenAt: string) => {
      const { media } = bundleOf({ media: ['P/IMG_1.jpg'] }).files;
      const tags = { takenAt, latitude: 1, longitude: 1 };
      return readTakeout(takeout({ geoData: { latitude: 5, longitude: 5 } }), [
        { ...media[0], tags } as (typeof media)[number],
      ])?.fields;
    };

    expect(read('2021-07-04T12:30:00')).toEqual({});
    expect(read('2021-07-04')).toEqual({});
    expect(read('2012-01-01T00:00:00')).toEqual({ takenAt: '2021-07-04T10:30:00Z', year: 2021 });
  });

  test.each([
    '',
    '[]',
    '{',
    'null',
    '{"photoTakenTime": 7}',
    '{"photoTakenTime":{"timestamp":"1e99"}}',
    '['.repeat(100_000),
  ])('that is another text says nothing: %#', async (text) => {
    const beside = { 'P/IMG_1.jpg.json': text };
    expect(await deltaOf({ media: ['P/IMG_1.jpg'], beside })).toBeNull();
  });

  test('is not read for films and books, unless it is named after a film', async () => {
    const read = (media: string, json: string) =>
      readItems([{ media: [media], beside: { [json]: takeout() } }]);

    expect((await read('F/F.mkv', 'F/F.info.json')).calls).toEqual([]);
    expect((await read('F/F.epub', 'F/F.epub.json')).calls).toEqual([]);
    expect((await read('F/F.mp4', 'F/F.mp4.json')).deltas).toMatchObject([
      { fields: { takenAt: '2021-07-04T10:30:00Z' } },
    ]);
  });
});
