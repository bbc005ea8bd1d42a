import { describe, expect, test } from 'vitest';
import { createSidecarLookup, foldersConcerning, reachOf } from './sidecar-rule.ts';

const root = 'file:///films';

/** Which of these concern the media file; all below the root. Its folder has other items. */
const concerning = (media: string, sidecars: readonly string[]): readonly string[] =>
  concerns(media, sidecars, false).map(([path]) => path);

/** The same, with whether it is named after the media. */
function concerns(
  media: string,
  sidecars: readonly string[],
  isLone: boolean,
): readonly (readonly [string, boolean])[] {
  const uri = `${root}/${media}`;
  const lookup = createSidecarLookup(
    sidecars.map((path) => ({ uri: `${root}/${path}` })),
    new Set(isLone ? [] : [uri.slice(0, uri.lastIndexOf('/'))]),
  );
  return lookup
    .concerning(uri, root)
    .map(({ sidecar, isNamed }) => [sidecar.uri.slice(root.length + 1), isNamed]);
}

describe('a file beside media', () => {
  test('concerns the media file that it is named after', () => {
    const named = ['Heat.nfo', 'Heat.en.forced.srt', 'Heat-poster.jpg'];

    expect(concerning('Heat.mkv', [...named, 'Heated.nfo', 'Alien.nfo'])).toEqual(named.toSorted());
  });

  test('is found by its name in upper or lower case, and by the bytes of its URI', () => {
    expect(concerning('L%C3%A9on.mkv', ['l%c3%A9ON.nfo'])).toEqual(['l%c3%A9ON.nfo']);
  });

  test('with a customary name concerns its whole folder, and all below', () => {
    const sidecars = ['Dark/tvshow.nfo', 'Dark/poster.jpg', 'Dark/season01-poster.jpg'];

    expect(concerning('Dark/S01/e1.mkv', sidecars)).toEqual(sidecars.toSorted());
    expect(concerning('Other/S01/e1.mkv', sidecars)).toEqual([]);
  });

  test.each([
    ['IMG_1(2).jpg', ['IMG_1.jpg(2).json', 'IMG_1.jpg.supplemental-metadata(2).json']],
    ['IMG_1-edited.jpg', ['IMG_1.jpg.json']],
    ['IMG_1-modifi%C3%A9.jpg', ['IMG_1.jpg.suppl.json']],
    [`${'long'.repeat(12)}.jpg`, [`${'long'.repeat(11)}lo.json`]],
  ])('of Google Takeout concerns %s, whose name it has in another form', (photo, own) => {
    expect(concerning(photo, [...own, 'IMG_2.jpg.json', 'other.json', 'IMG_1.jpg(2).nfo'])).toEqual(
      own,
    );
    expect(concerns(photo, own, false)).toEqual(own.map((json) => [json, true]));
  });

  test('that is another JSON concerns only what it is named after', () => {
    const own = 'Dark.S01E01.info.json';

    expect(concerning('Dark.S01E01.mkv', [own, 'Dark.S01E02.info.json'])).toEqual([own]);
  });

  test('that is a cue sheet concerns the media of its folder, by any name', () => {
    expect(concerning('Album/a.flac', ['Album/Some disc.cue', 'b.cue'])).toEqual([
      'Album/Some disc.cue',
    ]);
  });

  test('with any other name concerns nothing in the folders below', () => {
    expect(concerning('Dark/S01/e1.mkv', ['Dark/e1.nfo', 'e1.nfo'])).toEqual([]);
  });

  test('in a folder for such files concerns all media beside that folder', () => {
    const sidecars = ['Heat/Subs/2_English.srt', 'Heat/extrafanart/1.jpg', 'Heat/scans/a.jpg'];

    expect(concerning('Heat/Heat.mkv', sidecars)).toEqual(sidecars.toSorted());
    expect(concerning('Heat/Extras/trailer.mkv', sidecars)).toEqual([]);
  });

  test('in a folder of subtitles that is named after the media concerns that alone', () => {
    const own = ['Dark/Subs/Dark S01E02/2_English.srt', 'Dark/subs/dark s01e02/3_German.srt'];
    const others = ['Dark/Subs/Dark S01E03/2_English.srt', 'Dark/Scans/Dark S01E02/a.jpg'];
    const asUris = (paths: readonly string[]) => paths.map((path) => path.replaceAll(' ', '%20'));

    expect(concerning('Dark/Dark%20S01E02.mkv', asUris([...own, ...others]))).toEqual(asUris(own));
    expect(foldersConcerning(`${root}/Dark/Dark%20S01E02%20-%204k.mkv`, root)).toContain(
      `${root}/Dark/Subs/Dark%20S01E02`,
    );
    expect(reachOf(`${root}/Dark/Subs/Dark%20S01E02/2_English.srt`)).toBe(`${root}/Dark`);
  });

  test.each(['VIDEO_TS/VIDEO_TS.nfo', 'VIDEO_TS/chapters.txt', 'ComicInfo.xml'])(
    'with the customary name %s concerns its folder',
    (name) => {
      expect(concerning('VIDEO_TS/vts_01_1.vob', [name])).toEqual([name]);
    },
  );

  test('is looked for in every folder in which it may lie, and not above the root', () => {
    expect(foldersConcerning(`${root}/A/B/c.mkv`, root)).toEqual(
      expect.arrayContaining([`${root}/A/B`, `${root}/A`, root, `${root}/A/B/Subs`]),
    );
    expect(foldersConcerning(`${root}/A/B/c.mkv`, root)).not.toContain('file://');
  });

  test('concerns its own folder, or the folder that contains its folder', () => {
    expect(reachOf(`${root}/A/a.nfo`)).toBe(`${root}/A`);
    expect(reachOf(`${root}/A/subs/a.srt`)).toBe(`${root}/A`);
  });

  test.each([
    ['Films/poster.jpg', false],
    ['Films/movie.nfo', false],
    ['Films/extrafanart/1.jpg', false],
    ['Films/any.cue', false],
    ['Films/Heat-poster.jpg', true],
    ['Films/Heat.nfo', true],
    ['Films/Subs/Heat.en.srt', true],
    ['Films/Subs/Heat/2_English.srt', true],
  ])('%s concerns Heat.mkv among others; named after it: %s', (path, isNamed) => {
    expect(concerns('Films/Heat.mkv', [path], false)).toEqual([[path, isNamed]]);
  });

  test('with any name concerns the only item of its folder', () => {
    const loose = ['Heat/English (Forced).srt', 'Heat/other.jpg', 'Heat/x/deeper.srt'];

    expect(concerns('Heat/h.mkv', loose, true)).toEqual([
      [loose[0], false],
      [loose[1], false],
    ]);
    expect(concerning('Heat/h.mkv', loose)).toEqual([]);
  });

  test.each([
    ['Film (1999) - 4k.mkv', 'Film (1999).en.srt', true],
    ['Film (1999) - 4k.mkv', 'film (1999).NFO', true],
    ['Film (1999) - 4k.mkv', 'Film (1999)-poster.jpg', true],
    ['Film (1999) - 4k.mkv', 'Film (1999).es-419.srt', true],
    ['Film (1999) - 4k.mkv', 'Subs/Film (1999)/2_English.srt', true],
    ['Film (1999) - 4k.mkv', 'SUBS/Film (1999).en.srt', true],
    ['Löwe.1999.2160p.mkv', 'Löwe.1999.de.srt', true],
    ['Dark S01E01 - 1080p.mkv', 'Dark S01E01.en.srt', true],
    ['Film (1999) - 4k.mkv', 'Film (1999) - 2k.en.srt', false],
    ['Film (1999) - 4k.mkv', 'Film (1999).1080p.srt', false],
    ['Film (1999) - 4k.mkv', 'Film (2001).en.srt', false],
    ['Film (1999) - 4k.mkv', 'Film.en.srt', false],
    ['Dark (2017) S01E01.mkv', 'Dark (2017).S01E02.en.srt', false],
    ['News - 2019-05-03.mkv', 'News - 2019-05-04.en.srt', false],
  ])('%s and %s: named after the work: %s', (media, sidecar, isNamed) => {
    const [one, other] = [media, sidecar].map((path) => encodeURI(`Films/${path}`));

    expect(concerning(one ?? '', [other ?? ''])).toEqual(isNamed ? [other] : []);
  });
});
