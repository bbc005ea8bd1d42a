import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { pagesOf } from './comic.ts';
import { openEpub, resolvePath } from './epub.ts';
import { placeOf, positionOf } from './book-place.ts';
import type { RangeSource } from './ranges.ts';
import { openZip } from './zip.ts';

const sourceOf = (bytes: Uint8Array): RangeSource => ({
  size: bytes.length,
  read: async (start, end) => new Uint8Array(bytes.slice(start, end)),
});
const zipOf = (files: Parameters<typeof zipSync>[0]) => openZip(sourceOf(zipSync(files)));

describe('a ZIP file that is read by ranges', () => {
  test('gives what was put in, stored and deflated', async () => {
    const text = 'a page '.repeat(1000);
    const zip = await zipOf({ 'a.txt': strToU8(text), 'b.txt': [strToU8(text), { level: 0 }] });
    for (const entry of zip.entries.values())
      expect(new TextDecoder().decode(await zip.read(entry))).toBe(text);
  });

  test('stops at 64 MB, although the packed bytes are few', async () => {
    const zip = await zipOf({ bomb: [new Uint8Array(65_000_000), { level: 1 }] });
    const [bomb] = [...zip.entries.values()];
    if (bomb === undefined) throw new Error('The archive is empty.');
    await expect(zip.read(bomb)).rejects.toMatchObject({ reason: 'too-large' });
  });

  test('that is damaged, or no ZIP file, is refused with the reason', async () => {
    const bytes = zipSync({ a: strToU8('text') });
    await expect(openZip(sourceOf(strToU8('x'.repeat(99))))).rejects.toMatchObject({
      reason: 'not-zip',
    });
    for (const [at, begin] of [
      [0, 'Rar!\x1a\x07'],
      [0, "7z¼¯'\x1c"],
      [257, 'ustar'],
    ] as const) {
      const archive = new Uint8Array(600);
      archive.set(
        Array.from(begin, (sign) => sign.charCodeAt(0)),
        at,
      );
      await expect(openZip(sourceOf(archive))).rejects.toMatchObject({ reason: 'other-archive' });
    }
    new DataView(bytes.buffer).setUint32(bytes.length - 6, 1_000_000, true);
    await expect(openZip(sourceOf(bytes))).rejects.toMatchObject({ reason: 'damaged' });
  });
});

test('pages of a comic are in the order of their numbers', () => {
  const names = ['p10.jpg', 'p2.jpg', '__MACOSX/p1.jpg', 'ComicInfo.xml'];
  expect(pagesOf(names)).toEqual(['p2.jpg', 'p10.jpg']);
});

describe('an EPUB', () => {
  test('has its chapters in the order of the spine, and its contents', async () => {
    const epub = await openEpub(
      await zipOf({
        'META-INF/container.xml': strToU8('<c><rootfile full-path="o/b.opf"/></c>'),
        'o/b.opf': strToU8(
          '<package><manifest><item id="n" href="n.xhtml" properties="nav"/><item id="1" href="a%20b.xhtml"/>' +
            '<item id="2" href="c.xhtml"/></manifest><spine page-progression-direction="rtl">' +
            '<itemref idref="2"/><itemref idref="1"/></spine></package>',
        ),
        'o/n.xhtml': strToU8(
          '<nav epub:type="toc"><ol><li><a href="a%20b.xhtml#x">One</a></li><li><a href="https://a.b/">Out</a></li></ol></nav>',
        ),
        'o/a b.xhtml': strToU8('<p>one</p>'),
        'o/c.xhtml': strToU8('<p>two</p>'),
      }),
    );
    expect(epub.chapters.map(({ entry }) => entry.name)).toEqual(['o/c.xhtml', 'o/a b.xhtml']);
    expect(epub.contents).toEqual([{ title: 'One', chapter: 1, place: 'x', depth: 0 }]);
    expect(epub.isRightToLeft).toBe(true);
  });

  test.each(['https://a.b/', '//a.b/c', 'javascript:x', 'data:,x', '\\\\a.b/c'])(
    'follows no link out of the book: %s',
    (href) => expect(resolvePath('o/a.xhtml', href)).toBeUndefined(),
  );

  test('has places that are the same both ways', () => {
    const chapters = [{ pages: 2 }, { pages: 8 }];
    expect(placeOf(chapters, positionOf(chapters, 1, 0.5))).toEqual({ chapter: 1, share: 0.5 });
    expect(placeOf(chapters, positionOf(chapters, 0, 1)).chapter).toBe(0);
  });
});
