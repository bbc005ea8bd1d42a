/** A parsed path. All parts are NFC. */
export interface FilePath {
  /** From the root of the library down. */
  readonly folders: readonly string[];
  /** The folders in one text. */
  readonly folder: string;
  /** The name without its extension. */
  readonly stem: string;
  /** Lower case, without dot; empty for an unknown extension. */
  readonly extension: string;
}

const extensions: ReadonlySet<string> = new Set(
  (
    'mkv mk3d mkvv mp4 m4v avi mov wmv mpg mpeg m2v ts m2ts mts vob ogm ogv webm flv f4v divx xvid asf rm rmvb 3gp iso img strm nfo torrent nzb ' +
    'srt sub ass ssa idx vtt smi sup mp3 flac m4a m4b m4p aac ogg oga opus wav wma aif aiff ape alac wv mpc dsf dff mka aax mp2 ac3 dts cue ' +
    'epub pdf mobi azw azw3 azw4 kfx djvu fb2 lit cbz cbr cb7 cbt cba zip rar 7z txt rtf doc docx html ' +
    'jpg jpeg png gif webp heic heif avif tif tiff bmp raw cr2 cr3 nef arw dng orf rw2 raf jxl svg mpo'
  ).split(' '),
);

const notAscii = /[^\0-\x7f]/;

/** No file system has longer names, and titles are shorter. */
const longestName = 900;

function cut(name: string): string {
  return name.length > longestName ? name.slice(0, longestName).toWellFormed() : name;
}

const copyFolders: ReadonlySet<string> = new Set(['backup', 'backups', 'copy', 'copies']);

/** Suffixes that file managers add to a copy. */
const copies = /(?: - Copy)?(?: \((?:copy|Copy)(?: \d{1,3})?\))$| - Copy$/;

/** Parses a path. A dot without a known extension after it belongs to the name. */
export function splitPath(path: string): FilePath {
  const clean = notAscii.test(path) ? path.toWellFormed().normalize('NFC') : path;
  const segments = segmentsOf(clean);
  const filename = segments.pop() ?? '';
  while (segments.length > 1 && copyFolders.has(segments.at(-1)?.toLowerCase() ?? ''))
    segments.pop();
  const dot = filename.lastIndexOf('.');
  const extension = dot > 0 ? filename.slice(dot + 1).toLowerCase() : '';
  const isKnown = extensions.has(extension);
  return {
    folders: segments,
    folder: segments.join('/'),
    stem: withoutCopy(isKnown ? cut(filename.slice(0, dot)) : cut(filename)),
    extension: isKnown ? extension : '',
  };
}

/** Only such a path has backslashes between its names; elsewhere they are letters of a name. */
const drive = /^[a-z]:\\/i;

function segmentsOf(path: string): string[] {
  const segments = (drive.test(path) ? path.replaceAll('\\', '/') : path).split('/');
  const isPlain = segments.every(({ length }) => length > 1 && length <= longestName);
  if (isPlain) return segments;
  return segments.filter((segment) => segment !== '' && segment !== '.').map(cut);
}

function withoutCopy(stem: string): string {
  return stem.endsWith(')') || stem.endsWith('Copy') ? stem.replace(copies, '') : stem;
}
