/** Everything that the sorted neighbours of an item say, in the order of their precedence. */
import type { BundleAsset, BundleSubtitle } from '../../../plugin-api/index.ts';
import { bookCover, type ArtworkOwner } from '../artwork/artwork-files.ts';
import { bookFinding, peopleNamed } from '../books/book-finding.ts';
import { readXmp } from '../photos/xmp.ts';
import { readTakeout } from '../photos/takeout.ts';
import { readComicInfo, type IssueNumbers } from '../books/comic-info.ts';
import { readMetadataJson } from '../books/metadata-json.ts';
import { coverIn, readOpf } from '../books/opf.ts';
import { readChapterFile, readCue, spreadChapters } from '../chapters/chapter-findings.ts';
import { musicFindings } from '../item/music-finding.ts';
import type { Scene } from '../item/scene.ts';
import type { Sorted } from '../item/sort-neighbours.ts';
import type { Text, TextKind } from '../item/text-kind.ts';
import { tvFindings, type Source } from '../item/tv-finding.ts';
import { readItemNfo } from '../nfo/item-nfo.ts';
import { splitNames } from '../nfo/nfo-values.ts';
import { readLyrics } from '../sound/lyrics-finding.ts';
import { samiLanguages } from '../subtitles/sami.ts';
import { vobsubLanguage } from '../subtitles/vobsub.ts';
import { linesOf } from '../texts/lines.ts';
import { quote } from '../texts/read-texts.ts';
import { readXml } from '../xml/read-xml.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { toLine, toText, type Finding } from './finding.ts';

/** A text, its kind and its content. */
interface ReadText extends Source {
  readonly of: Text;
}

/** All findings of an item. */
export function findAll(
  scene: Scene,
  sorted: Sorted,
  contents: ReadonlyMap<string, string>,
): Finding[] {
  const texts = sorted.texts.flatMap((of): ReadText[] => {
    const { uri, path } = of.neighbour.file;
    const text = contents.get(uri);
    return text === undefined ? [] : [{ of, text, path }];
  });
  const ofKind = (...kinds: readonly TextKind[]): ReadText[] =>
    kinds.flatMap((kind) => texts.filter(({ of }) => of.kind === kind));
  const picturesOf = (...owners: readonly ArtworkOwner[]): BundleAsset[] =>
    sorted.artwork.filter(({ owner }) => owners.includes(owner)).map(({ asset }) => asset);

  const own: Finding[] = [
    { assets: picturesOf('item'), subtitles: withLanguages(sorted, ofKind) },
    ...ofKind('item-nfo', 'folder-nfo').map(({ text, path }) => readItemNfo(scene, text, path)),
    ...ofKind('opf').map(({ of, text, path }) =>
      fromXml(text, path, (root) => fromOpf(scene, of, root)),
    ),
    ...ofKind('metadata-json').flatMap(({ text, path }) => fromMetadataJson(scene, text, path)),
    ...ofKind('comic-info').map(({ text, path }) =>
      fromXml(text, path, (root) => readComicInfo(root, numbersOf(scene))),
    ),
    ...ofKind('description').map(({ text }) => bookFinding({ overview: toText(text) })),
    ...ofKind('narrator').map(({ text }) => bookFinding({ narrators: narratorsIn(text) })),
    ...ofKind('chapters').map(({ of, text, path }) =>
      readChapterFile(scene, { text, path, media: of.media }),
    ),
    ...ofKind('cue').map(({ of, text, path }) => readCue(scene, { text, path }, of.media)),
    ...ofKind('xmp').map(({ text, path }) => fromXml(text, path, readXmp)),
    ...ofKind('takeout').map(({ text }) => readTakeout(text, scene.bundle.files.media) ?? {}),
    ...ofKind('lyrics').map(({ of, text }) => readLyrics(of, text)),
  ];
  return [...own, ...above(scene, own, { ofKind, picturesOf })];
}

/** What the folders above an episode or a track say, for the item as its own documents name it. */
function above(
  { kind, bundle }: Scene,
  own: readonly Finding[],
  parts: {
    readonly ofKind: (kind: TextKind) => readonly ReadText[];
    readonly picturesOf: (owner: ArtworkOwner) => readonly BundleAsset[];
  },
): Finding[] {
  const { ofKind, picturesOf } = parts;
  const valueOf = (key: string): unknown =>
    [...own.map(({ fields }) => fields?.[key]), bundle.fields[key]].find(
      (one) => one !== undefined,
    );
  const lineOf = (key: string): string | undefined => {
    const value = valueOf(key);
    return typeof value === 'string' ? toLine(value) : undefined;
  };
  if (kind === 'episode') {
    const season = valueOf('season');
    const sources = {
      show: ofKind('show-nfo')[0],
      season: ofKind('season-nfo')[0],
      showPictures: picturesOf('show'),
      seasonPictures: picturesOf('season'),
    };
    const number = typeof season === 'number' ? season : undefined;
    return tvFindings(sources, { series: lineOf('series'), season: number });
  }
  if (kind !== 'track') return [];
  const sources = {
    album: ofKind('album-nfo')[0],
    artist: ofKind('artist-nfo')[0],
    albumPictures: picturesOf('album'),
    artistPictures: picturesOf('artist'),
  };
  const [artist, albumArtist, album] = ['artist', 'albumArtist', 'album'].map(lineOf);
  return musicFindings(sources, { artist, albumArtist, album });
}

/** With the languages that the files themselves name: a SAMI has a track for each of several. */
function withLanguages(
  { subtitles }: Sorted,
  ofKind: (kind: TextKind) => readonly ReadText[],
): readonly BundleSubtitle[] {
  const languages = new Map<string, readonly string[]>([
    ...ofKind('vobsub').map(({ of, text }) => {
      const language = vobsubLanguage(text);
      return [of.neighbour.file.uri, language === null ? [] : [language]] as const;
    }),
    ...ofKind('sami').map(({ of, text }) => [of.neighbour.file.uri, samiLanguages(text)] as const),
  ]);
  return subtitles.flatMap((subtitle) => {
    const spoken = languages.get(subtitle.uri ?? '') ?? [];
    const isNamed = subtitle.format === 'smi' && subtitle.language !== undefined;
    if (spoken.length === 0 || (spoken.length === 1 && isNamed)) return [subtitle];
    return spoken.map((language) => ({ ...subtitle, language }));
  });
}

function fromXml(text: string, path: string, read: (root: XmlElement) => Finding | null): Finding {
  const reading = readXml(text);
  if (!reading.ok) {
    console.warn(`${quote(path)} is not read: ${reading.reason}.`);
    return {};
  }
  for (const root of reading.document.roots) {
    const found = read(root);
    if (found !== null) return found;
  }
  return {};
}

/** A cover that a package names is used if the file exists beside it. */
function fromOpf({ bundle }: Scene, { neighbour }: Text, root: XmlElement): Finding | null {
  const finding = readOpf(root);
  const cover = coverIn(root);
  if (finding === null || cover === undefined) return finding;
  const path = [neighbour.folder, cover].filter(Boolean).join('/');
  const file = bundle.files.auxiliary.find((one) => one.path === path);
  if (file === undefined) return finding;
  return { ...finding, assets: [bookCover(file)] };
}

function fromMetadataJson(scene: Scene, text: string, path: string): Finding[] {
  const read = readMetadataJson(text, path);
  return read === null ? [] : [read.finding, spreadChapters(scene, read.chapters)];
}

function numbersOf({ bundle }: Scene): IssueNumbers {
  const { chapter, volume } = bundle.fields;
  const known = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return { chapter: known(chapter), volume: known(volume) };
}

/** Names on separate lines, or separated by commas. */
const narratorsIn = (text: string) => peopleNamed(splitNames(linesOf(text, 100), /\s*[,;&]\s*/));
