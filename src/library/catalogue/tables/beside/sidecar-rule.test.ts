import { describe, expect, test } from 'vitest';
import {
  createSidecarLookup,
  foldersConcerning,
  isNamedAfter,
  reachOf,
  speaksForFolder,
} from './sidecar-rule.ts';

const root = 'file:///films';

/** Which of these concern the media file; all below the root. */
function concerning(media: string, sidecars: readonly string[]): readonly string[] {
  const lookup = createSidecarLookup(sidecars.map((path) => ({ uri: `${root}/${path}` })));
  return lookup.concerning(`${root}/${media}`, root).map(({ uri }) => uri.slice(root.length + 1));
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
    expect(own.every((json) => isNamedAfter(`${root}/${json}`, [`${root}/${photo}`]))).toBe(true);
  });

  test('that is a cue sheet concerns the media of its folder, by any name', () => {
    expect(concerning('Album/a.flac', ['Album/Some disc.cue', 'b.cue'])).toEqual([
      'Album/Some disc.cue',
    ]);
    expect(speaksForFolder(`${root}/Album/Some disc.cue`)).toBe(true);
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
    expect(foldersConcerning(`${root}/Dark/Dark%20S01E02.mkv`, root)).toContain(
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
    ['Films/poster.jpg', false, true],
    ['Films/movie.nfo', false, true],
    ['Films/extrafanart/1.jpg', false, true],
    ['Films/Heat-poster.jpg', true, false],
    ['Films/Heat.nfo', true, false],
    ['Films/Subs/Heat.en.srt', true, true],
    ['Films/Subs/Heat/2_English.srt', true, false],
    ['Films/English.srt', false, false],
  ])('%s is named after Heat.mkv: %s; speaks for a folder: %s', (path, isNamed, isOfFolder) => {
    expect(isNamedAfter(`${root}/${path}`, [`${root}/Films/Heat.mkv`])).toBe(isNamed);
    expect(speaksForFolder(`${root}/${path}`)).toBe(isOfFolder);
  });
});
