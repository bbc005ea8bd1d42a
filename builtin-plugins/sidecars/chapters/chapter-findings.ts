/** Chapters from texts beside the media, assigned to their files. */
import type { BundleChapter } from '../../../plugin-api/index.ts';
import { entitiesNamed, known, roles, toLine, type Finding } from '../findings/finding.ts';
import { keyOf, stemOf } from '../item/folder-path.ts';
import { durationOf, hasChapters } from '../item/item-media.ts';
import type { Scene, SceneMedia } from '../item/scene.ts';
import { quote } from '../texts/read-texts.ts';
import { readXml } from '../xml/read-xml.ts';
import {
  mostChapters,
  toChapters,
  toMillisecond,
  type ChapterMark,
  toSeconds,
} from './chapter-times.ts';
import { readCueSheet, type CueFile, type CueSheet } from './cue-sheet.ts';
import { readTextChapters } from './text-chapters.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';

/** Chapters of one file, from a text or a Matroska document. */
export function readChapterFile(
  scene: Scene,
  source: { readonly text: string; readonly path: string; readonly media?: SceneMedia | undefined },
): Finding {
  const media = source.media ?? scene.media[0];
  if (media === undefined || hasChapters(scene, media)) return {};
  const marks = source.text.trimStart().startsWith('<')
    ? readXmlChapters(source.text, source.path)
    : readTextChapters(source.text);
  return { chapters: toChapters(marks, media.file.uri, durationOf(media.file)) };
}

function readXmlChapters(text: string, path: string): readonly ChapterMark[] {
  const reading = readXml(text);
  if (!reading.ok) {
    console.warn(`${quote(path)} is not read: ${reading.reason}.`);
    return [];
  }
  return reading.document.roots.flatMap(readMatroskaChapters);
}

/** What a cue sheet says of albums and books in one file; nothing for files with one track each. */
export function readCue(
  scene: Scene,
  { text, path }: { readonly text: string; readonly path: string },
  named: SceneMedia | undefined,
): Finding {
  const sheet = readCueSheet(text);
  const fault = cueFault(sheet);
  if (fault !== undefined) console.warn(`${quote(path)} is not read: ${fault}.`);
  if (sheet === null || fault !== undefined) return {};
  const whole = sheet.files.flatMap((file) => {
    const media = file.tracks.length > 1 ? mediaOfCue(scene, sheet, file, named) : undefined;
    return media === undefined ? [] : [{ file, media }];
  });
  if (whole.length === 0) return {};
  const chapters = whole.flatMap(({ file, media }) =>
    hasChapters(scene, media)
      ? []
      : toChapters(file.tracks, media.file.uri, durationOf(media.file)),
  );
  return scene.kind === 'track' ? { ...albumOf(sheet), chapters } : { chapters };
}

/** What is wrong with a sheet as a whole; it is then not read, rather than half. */
function cueFault(sheet: CueSheet | null): string | undefined {
  const [file, ...others] = sheet?.files ?? [];
  if (file === undefined) return 'it names no file';
  // With a file for each track, a track may begin in the file before it.
  if (others.length > 0) return undefined;
  const { tracks, trackCount } = file;
  if (tracks.length < trackCount) return 'a track has no time, so it is damaged or cut off';
  if (tracks.some(({ start }, at) => start <= (tracks[at - 1]?.start ?? -1)))
    return 'the times of its tracks do not rise';
  return undefined;
}

/** Files are often re-encoded after the sheet was written: the same stem is enough, or being the only file. */
function mediaOfCue(
  { media }: Scene,
  { files }: CueSheet,
  { name }: CueFile,
  named: SceneMedia | undefined,
): SceneMedia | undefined {
  const stem = keyOf(stemOf(name.normalize('NFC')));
  const own = media.find((one) => one.stem === stem);
  if (own !== undefined) return own;
  return files.length === 1 ? named : undefined;
}

function albumOf({ title, performer, year, genre }: CueSheet): Finding {
  const album = toLine(title);
  const artist = toLine(performer);
  const genres = genre === undefined ? [] : [genre];
  return {
    fields: known({ title: album, album, artist, albumArtist: artist, year, genres }),
    entities: roles({
      albumArtist: artist === undefined ? [] : entitiesNamed('artist', [artist]),
      genre: entitiesNamed('genre', genres),
    }),
  };
}

/** Chapters that run through all files of a book, cut where one file ends and the next begins. */
export function spreadChapters(scene: Scene, chapters: readonly BundleChapter[]): Finding {
  const { media } = scene;
  if (media.some((one) => hasChapters(scene, one))) return {};
  const [only] = media;
  if (media.length === 1 && only !== undefined) {
    return { chapters: chapters.map((one) => ({ ...one, mediaFileUri: only.file.uri })) };
  }
  const spread: BundleChapter[] = [];
  let from = 0;
  for (const { file } of media) {
    const duration = durationOf(file);
    if (duration === undefined) return {};
    for (const [at, chapter] of chapters.entries()) {
      const endTime = chapter.endTime ?? chapters[at + 1]?.startTime ?? Infinity;
      const start = toMillisecond(Math.max(0, chapter.startTime - from));
      const end = toMillisecond(Math.min(duration, endTime - from));
      if (end - start < shortest) continue;
      spread.push({ ...chapter, mediaFileUri: file.uri, startTime: start, endTime: end });
    }
    from += duration;
  }
  return { chapters: spread.slice(0, mostChapters) };
}

/** Seconds. Real durations differ a little from the written ones. */
const shortest = 0.5;

/** Chapters as mkvextract writes them, of the default edition or the first; empty when there are none. */
function readMatroskaChapters(root: XmlElement): readonly ChapterMark[] {
  const editions = root.name === 'chapters' ? childrenOf(root, 'editionentry') : [];
  const edition = editions.find((one) => textOf(one, 'editionflagdefault') === '1') ?? editions[0];
  if (edition === undefined) return [];
  return childrenOf(edition, 'chapteratom').flatMap((atom) => {
    const start = toSeconds(textOf(atom, 'chaptertimestart'));
    if (start === undefined || isHidden(atom)) return [];
    const display = childOf(atom, 'chapterdisplay');
    const title = display && textOf(display, 'chapterstring');
    return [{ start, end: toSeconds(textOf(atom, 'chaptertimeend')), title }];
  });
}

const isHidden = (atom: XmlElement): boolean =>
  textOf(atom, 'chapterflaghidden') === '1' || textOf(atom, 'chapterflagenabled') === '0';
