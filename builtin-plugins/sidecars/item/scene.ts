import { nameOfWork, type Bundle, type BundleMediaFile } from '../../../plugin-api/index.ts';
import { folderOf, keyOf, nameOf, stemOf } from './folder-path.ts';

/** The kind of item, which decides what neighbours it can have. */
export type ItemKind = 'film' | 'episode' | 'track' | 'audiobook' | 'book' | 'photo';

/** A media file and the prefix of its neighbours' names. */
export interface SceneMedia {
  readonly file: BundleMediaFile;
  readonly folder: string;
  readonly stem: string;
}

/** The item among its files: its kind and its folders. Paths are relative to the root. */
export interface Scene {
  readonly kind: ItemKind;
  readonly media: readonly SceneMedia[];
  /** Names of the work that its files begin with, the longest first: `film (1999)` of `film (1999) - 4k`. */
  readonly works: readonly string[];
  /** Folders of the item itself: that of its media, and that of its disc folders. */
  readonly homes: ReadonlySet<string>;
  /** The folder of the show, or of the artist; null when there is none. */
  readonly parent: string | null;
  /** Whether the parent is also the item's own folder: a show without folders for its seasons. */
  readonly bundle: Bundle;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const video = words(
  '3g2 3gp amv asf avi divx dvr-ms evo f4v flv iso m1v m2t m2ts m2v m4v mk3d mkv mov mp4 mpe mpeg mpg mpv mts mxf nut ogm ogv qt rm rmvb strm tod tp trp ts vob vro webm wmv wtv xvid',
);
const audio = words(
  'aa aac aax aaxc ac3 aif aifc aiff alac amr ape au awb caf dff dsf dts eac3 flac m4a m4b mka mp1 mp2 mp3 mpc oga ogg ofr opus ra shn spx tak tta w64 wav weba wma wv',
);
const text = words(
  'azw azw3 azw4 cb7 cba cbr cbt cbz chm djv djvu epub fb2 fbz ibooks kf8 kfx lit lrf lrx mobi oxps pdb pdf prc xps',
);

const picture = words(
  '3fr arw avif bmp cr2 cr3 crw dcr dib dng erf fff gif gpr heic heif hif iiq insp j2k jfif jp2 jpe jpeg jpf jpg jpx jxl kdc mef mos mrw nef nrw orf pef png raf raw rw2 rwl sr2 srf srw tif tiff webp x3f',
);

/** The scene of an item; null for items that have no sidecars. */
export function createScene(bundle: Bundle): Scene | null {
  const media = bundle.files.media.map((file) => {
    const name = keyOf(nameOf(file.path));
    return { file, folder: folderOf(file.path), stem: stemOf(name) };
  });
  const [first] = media;
  const kind = first === undefined ? null : kindOf(first.file, bundle);
  if (first === undefined || kind === null) return null;
  const homes = new Set(media.flatMap(({ folder }) => homesOf(folder)));
  const parent = parentOf(kind, topOf(first.folder), bundle);
  return { kind, media, works: worksOf(kind, media), homes, parent, bundle };
}

/** The folder of a film or a book has its name; that of an episode or a track has another one. */
function worksOf(kind: ItemKind, media: readonly SceneMedia[]): readonly string[] {
  const isWork = kind !== 'episode' && kind !== 'track';
  const names = media.flatMap(({ stem, folder }) => [
    nameOfWork(stem),
    ...(isWork && folder !== '' && isStart(keyOf(nameOf(folder)), stem)
      ? [keyOf(nameOf(folder))]
      : []),
  ]);
  const stems = new Set(media.map(({ stem }) => stem));
  return [...new Set(names)]
    .filter((name) => !stems.has(name))
    .toSorted((a, b) => b.length - a.length);
}

const isStart = (name: string, stem: string): boolean =>
  stem.startsWith(name) && /^[ ._([-]/.test(stem.slice(name.length));

function kindOf({ extension }: BundleMediaFile, { fields }: Bundle): ItemKind | null {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => key in fields);
  const ending = extension.toLowerCase();
  const isSpoken = ending === 'm4b' || has('author', 'narrator', 'bookSeries');
  if (text.has(ending)) return 'book';
  if (picture.has(ending)) return 'photo';
  if (audio.has(ending)) return isSpoken ? 'audiobook' : 'track';
  if (!video.has(ending)) return null;
  if (isSpoken) return 'audiobook';
  return has('series', 'season', 'episode', 'episodes', 'absoluteEpisode') ? 'episode' : 'film';
}

/** Folders that hold a part of their parent's work. */
const pieceFolder =
  /^(?:video_ts|audio_ts|hvdvd_ts|bdmv|stream|(?:cd|dvd|disc|disk|part|side|vinyl|lp)[ ._-]{0,3}[\da-d]{1,3})$/i;

/** From the folder of the media up to the folder of the whole item. */
function homesOf(folder: string): string[] {
  const homes = [folder];
  for (let at = folder; pieceFolder.test(nameOf(at)) && at !== '';) {
    at = folderOf(at);
    homes.push(at);
  }
  return homes;
}

const topOf = (folder: string): string => homesOf(folder).at(-1) ?? folder;

const seasonFolder =
  /^(?:s\d{1,4}|\d{1,4}|specials?|(?:season|staffel|saison|temporada|stagione|seizoen|series|sezon|sezona|sæson|säsong|sesong|kausi|évad|сезон|シーズン|시즌)[ ._-]{0,3}\d{1,4}.{0,60}|.{1,60}[ ._-](?:season|s)[ ._-]?\d{1,4})$/iu;

/** Of an episode the show's folder, of a track the artist's. */
function parentOf(kind: ItemKind, home: string, { files }: Bundle): string | null {
  if (kind === 'track') return folderOf(home) === '' ? null : folderOf(home);
  if (kind !== 'episode') return null;
  const described = files.auxiliary
    .filter(({ path }) => keyOf(nameOf(path)) === 'tvshow.nfo')
    .map(({ path }) => folderOf(path))
    .filter((folder) => home === folder || folder === '' || home.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length);
  if (described[0] !== undefined) return described[0];
  const show = seasonFolder.test(nameOf(home)) ? folderOf(home) : home;
  return show === '' ? null : show;
}
