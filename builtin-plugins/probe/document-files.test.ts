import { readFileSync, statSync } from 'node:fs';
import { zipSync, zlibSync, type Zippable } from 'fflate';
import { describe, expect, test } from 'vitest';
import { testByNight } from '../../test/support/run/test-by-night.ts';
import type { ProbeReport } from '../../plugin-api/index.ts';
import { keepFile } from '../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../test/support/media/probe-host.ts';
import { artwork } from './artwork.ts';
import { probeFiles } from './probe-files.ts';

async function probe(file: string): Promise<ProbeReport> {
  const { size } = statSync(file);
  const input = { libraryId: 'l', libraryType: 'books', files: [probeFileOf(file, size)] };
  const { results } = await probeFiles(input, createRangeHost().host);
  const [outcome] = results;
  if (outcome?.kind !== 'read') throw new Error(JSON.stringify(outcome));
  return outcome.report;
}

async function pictureIn(file: string): Promise<Buffer> {
  const question = { file: probeFileOf(file, statSync(file).size), index: 0 };
  return Buffer.from(await artwork(question, createRangeHost().host));
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const cover = Buffer.from([
  0xff,
  0xd8,
  0xff,
  0xe0,
  ...Array.from({ length: 500 }, (_, at) => at % 256),
]);
const zipped = (extension: string, parts: Zippable): string =>
  keepFile(extension, zipSync(parts, { mtime: new Date('2020-01-01') }));

const packageFile = `<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
 <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
  <!-- <dc:title>Not this</dc:title> -->
  <dc:identifier id="id">urn:isbn:978-3-16-148410-0</dc:identifier>
  <dc:title id="s">Not the title</dc:title><meta refines="#s" property="title-type">subtitle</meta>
  <dc:title id="n">The Cycle, 2</dc:title><meta refines="#n" property="title-type">collection</meta>
  <dc:title id="t">Tom &amp; the &#x201C;Others&#8221;</dc:title>
  <meta refines="#t" property="title-type">main</meta><meta refines="#t" property="file-as">Tom</meta>
  <dc:creator id="a">Ann Author</dc:creator><meta refines="#a" property="role">aut</meta>
  <dc:creator opf:role="nrt">Nick Narrator</dc:creator>
  <dc:creator opf:role="ill">Ida Illustrator</dc:creator>
  <dc:language>de</dc:language><dc:publisher>House</dc:publisher>
  <dc:date opf:event="modification">2022-01-01</dc:date><dc:date>2015-06</dc:date>
  <dc:subject>Fantasy</dc:subject><dc:subject>Adventure</dc:subject>
  <dc:description><![CDATA[<p>About <b>it</b>.</p>]]></dc:description>
  <meta name="calibre:series" content="The Cycle"/><meta name="calibre:series_index" content="2.5"/>
 </metadata>
 <manifest><item id="c" href="img/front%20page.jpg" media-type="image/jpeg" properties="cover-image"/></manifest>
 <spine/>
</package>`;

describe('probe.probe of documents', () => {
  test('tells title, people, series and cover of an EPUB', async () => {
    const file = zipped('epub', {
      mimetype: [text('application/epub+zip'), { level: 0 }],
      'META-INF/container.xml': text(
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      ),
      'OEBPS/book.opf': text(packageFile),
      'OEBPS/img/front page.jpg': cover,
    });

    const report = await probe(file);

    expect(report).toEqual({
      container: 'epub',
      streams: [],
      tags: {
        title: 'Tom & the “Others”',
        sortTitle: 'Tom',
        subtitle: 'Not the title',
        authors: ['Ann Author'],
        narrators: ['Nick Narrator'],
        language: 'de',
        publisher: 'House',
        date: '2015-06',
        year: 2015,
        genres: ['Fantasy', 'Adventure'],
        description: 'About it.',
        series: 'The Cycle',
        volume: 2.5,
        ids: { isbn: '9783161484100' },
      },
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: cover.length }],
    });
    expect(await pictureIn(file)).toEqual(cover);
  });

  test('tells pages, cover and the note of a CBZ', async () => {
    const file = zipped('cbz', {
      'issue/page 10.jpg': text('ten'),
      'issue/page 2.jpg': cover,
      '__MACOSX/issue/._page 1.jpg': text('junk'),
      'ComicInfo.xml': text(
        '<ComicInfo><Title>The Issue</Title><Series>The Run</Series><Number>3</Number><Volume>2</Volume>' +
          '<Writer>Ann Author, Bob Writer</Writer><Year>1999</Year><Month>4</Month></ComicInfo>',
      ),
    });

    const report = await probe(file);

    expect(report).toEqual({
      container: 'cbz',
      pages: 2,
      streams: [],
      tags: {
        title: 'The Issue',
        series: 'The Run',
        volume: 2,
        issue: 3,
        authors: ['Ann Author', 'Bob Writer'],
        date: '1999-04',
        year: 1999,
      },
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: cover.length }],
    });
    expect(await pictureIn(file)).toEqual(cover);
  });

  const isZip = zipSync({ '1.jpg': cover });
  const begins = (words: string, at = 0): Uint8Array => {
    const bytes = Buffer.alloc(2000);
    bytes.write(words, at, 'latin1');
    return bytes;
  };

  test.each(['cbz', 'cbr', 'cb7', 'cbt'])(
    'reads a comic named .%s by its content',
    async (name) => {
      expect(await probe(keepFile(name, isZip))).toMatchObject({ container: 'cbz', pages: 1 });
      const others = { RAR: begins('Rar!\x1a\x07\0'), '7z': begins("7z\xbc\xaf'\x1c") };
      for (const [kind, bytes] of Object.entries({ ...others, TAR: begins('ustar', 257) })) {
        await expect(probe(keepFile(name, bytes))).rejects.toThrow(
          JSON.stringify({
            kind: 'failed',
            code: 'unsupported',
            message: `The archive is packed as ${kind}, which is not read. Pack it as CBZ (ZIP).`,
          }),
        );
      }
      await expect(probe(keepFile(name, begins('GIF89a')))).rejects.toThrow('malformed');
      await expect(probe(keepFile(name, isZip.subarray(0, 300)))).rejects.toThrow('truncated');
    },
  );

  test.each([
    ['a plain table', plainPdf],
    ['a packed table', packedPdf],
  ])('tells title, author, pages and cover of a PDF with %s', async (_, make) => {
    const file = keepFile('pdf', make());

    const report = await probe(file);

    expect(report).toEqual({
      container: 'pdf',
      pages: 12,
      streams: [],
      tags: {
        title: 'Über (all) things',
        authors: ['Ann Author', 'Bob'],
        date: '2011-12-13',
        year: 2011,
      },
      artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: cover.length }],
    });
    expect(await pictureIn(file)).toEqual(cover);
  });

  test('gives the pages of an encrypted PDF, and reports what it cannot read', async () => {
    const open = plainPdf().toString('latin1');
    const file = keepFile(
      'pdf',
      Buffer.from(open.replace('/Root', '/Encrypt 9 0 R/Root'), 'latin1'),
    );

    const report = await probe(file);

    expect(report).toEqual({
      container: 'pdf',
      pages: 12,
      streams: [],
      warnings: ['The PDF is encrypted; its title and author cannot be read.'],
    });
  });

  testByNight('refuses to unpack more than the limit', async () => {
    const file = zipped('epub', {
      'META-INF/container.xml': text('<rootfile full-path="a.opf"/>'),
      'a.opf': new Uint8Array(64 * 1024 * 1024),
    });
    const { size } = statSync(file);
    const lying = keepFile('epub', withoutSizes(readFileSync(file)));

    const input = { libraryId: 'l', libraryType: 'books' };
    const { results } = await probeFiles(
      { ...input, files: [probeFileOf(file, size), probeFileOf(lying, statSync(lying).size)] },
      createRangeHost().host,
    );

    expect(results).toMatchObject([
      { kind: 'failed', code: 'over-budget' },
      { kind: 'failed', code: 'over-budget' },
    ]);
  });
});

const objects = {
  catalogue: '<</Type/Catalog/Pages 2 0 R>>',
  pages: '<</Type/Pages/Count 12/Kids[3 0 R]>>',
  page: '<</Type/Page/Parent 2 0 R/Resources<</XObject<</Im0 4 0 R>>>>>>',
  picture: `<</Subtype/Image/Width 600/Height 800/Filter/DCTDecode/Length ${cover.length}>>`,
  notes:
    '<</Title(\\334ber \\(all\\) things)/Author<416E6E20417574686F7220616E6420426F62>/CreationDate(D:20111213101112Z)>>',
};

function plainPdf(): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  const add = (body: Buffer | string): void => {
    places.push(Buffer.concat(parts).length);
    const object = `${places.length} 0 obj\n`;
    parts.push(Buffer.concat([Buffer.from(object), Buffer.from(body), Buffer.from('\nendobj\n')]));
  };
  add(objects.catalogue);
  add(objects.pages);
  add(objects.page);
  add(streamOf(objects.picture, cover));
  add(objects.notes);
  const at = Buffer.concat(parts).length;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<</Size 6/Root 1 0 R/Info 5 0 R>>\n` +
        `startxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Objects packed together, and the table as a stream of row differences. */
function packedPdf(): Buffer {
  const packed = [objects.catalogue, objects.pages, objects.page, objects.notes];
  const numbers = [1, 2, 3, 5];
  const starts = packed.map((_, at) => packed.slice(0, at).join(' ').length + (at > 0 ? 1 : 0));
  const head = `${numbers.map((number, at) => `${number} ${starts[at] ?? 0}`).join(' ')} `;
  const body = zlibSync(text(head + packed.join(' ')));
  const holder = `<</Type/ObjStm/N 4/First ${head.length}/Filter/FlateDecode/Length ${body.length}>>`;
  const first = Buffer.from('%PDF-1.5\n');
  const picture = Buffer.concat([
    ...[Buffer.from('4 0 obj\n'), streamOf(objects.picture, cover), Buffer.from('\nendobj\n')],
  ]);
  const second = Buffer.concat([
    ...[Buffer.from('6 0 obj\n'), streamOf(holder, Buffer.from(body)), Buffer.from('\nendobj\n')],
  ]);
  const at = first.length + picture.length + second.length;
  const rows = [
    [0, 0, 0],
    [2, 6, 0],
    [2, 6, 1],
    [2, 6, 2],
    [1, first.length, 0],
    [2, 6, 3],
    [1, first.length + picture.length, 0],
    [1, at, 0],
  ].map(([kind = 0, place = 0, index = 0]) => [kind, place >> 8, place & 255, index]);
  const coded = rows.flatMap((row, line) => [
    2,
    ...row.map((value, column) => (value - (rows[line - 1]?.[column] ?? 0)) & 255),
  ]);
  const table = Buffer.from(zlibSync(Uint8Array.from(coded)));
  const dictionary =
    `<</Type/XRef/Size 8/W[1 2 1]/Root 1 0 R/Info 5 0 R/Filter/FlateDecode` +
    `/DecodeParms<</Predictor 12/Columns 4>>/Length ${table.length}>>`;
  return Buffer.concat([
    ...[first, picture, second, Buffer.from('7 0 obj\n'), streamOf(dictionary, table)],
    Buffer.from(`\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ]);
}

function streamOf(dictionary: string, body: Buffer): Buffer {
  return Buffer.concat([
    ...[Buffer.from(`${dictionary}\nstream\n`), body, Buffer.from('\nendstream')],
  ]);
}

/** The list states a tiny unpacked size for every entry. */
function withoutSizes(zip: Buffer): Buffer {
  const lying = Buffer.from(zip);
  const mark = Buffer.from('PK\x01\x02', 'latin1');
  for (let at = lying.indexOf(mark); at >= 0; at = lying.indexOf(mark, at + 4)) {
    lying.writeUInt32LE(100, at + 24);
  }
  return lying;
}
