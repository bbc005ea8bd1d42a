/** One item of a made library, and the made things that it is put together from. */
import type { Bundle, IndexedItem } from '../../plugin-api/index.ts';

/** A file that is not on any disk. */
export interface FakeFile {
  readonly uri: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  readonly type: 'media' | 'auxiliary';
  /** What is in it; absent = bytes that follow from its address. */
  readonly content?: Uint8Array;
}

/** An item as plugins see it, with its files. */
export interface FakeItem extends IndexedItem {
  readonly files: readonly FakeFile[];
}

/** What plugins are told of an item. */
export function indexedItem(item: FakeItem): IndexedItem {
  const { id, libraryId, scope, title, metadata, entities } = item;
  return { id, libraryId, scope, title, metadata, entities };
}

/** An item to be added. Only the title must be said. */
export interface NewFakeItem {
  readonly title: string;
  /** `movies` when absent; the library of the type is made when it is not there. */
  readonly libraryType?: string;
  /** Keys of `Item.metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly entities?: readonly Omit<IndexedItem['entities'][number], 'id'>[];
  /** Below the library's root; one media file named after the title when absent. */
  readonly files?: readonly NewFakeFile[];
}

/** A file to be added. What has no media extension lies beside media. */
export interface NewFakeFile {
  /** Below the library's root, with `/` between plain names. */
  readonly path: string;
  /** Bytes; of made bytes when there is no content. */
  readonly size?: number;
  readonly content?: string | Uint8Array;
}

/** An identifier that is the same in every run. */
export const fakeId = (kind: number, number: number): string =>
  `00000000-0000-7${kind.toString(16).padStart(3, '0')}-8000-${number.toString(16).padStart(12, '0')}`;

/** Each name percent-encoded, as in every URI of a file. */
export const encodePath = (path: string): string =>
  path
    .split('/')
    .map((name) => encodeURIComponent(name))
    .join('/');

const extensions: Readonly<Record<string, string>> = {
  movies: 'mkv',
  tv: 'mkv',
  music: 'flac',
  audiobooks: 'm4b',
  books: 'epub',
  photos: 'jpg',
};

const auxiliary = new Set(['nfo', 'srt', 'ass', 'jpg', 'png', 'txt', 'lrc', 'opf']);

/** The one file of an item that names none. */
export const usualFile = (libraryType: string, title: string): NewFakeFile => ({
  path: `${title}/${title}.${extensions[libraryType] ?? 'bin'}`,
});

/** Pictures are media in a library of photos alone. */
export const isAuxiliary = (libraryType: string, extension: string): boolean =>
  libraryType === 'photos' ? extension !== 'jpg' : auxiliary.has(extension);

/** What is behind the last dot, in lower case. */
export const extensionOf = (name: string): string =>
  /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The item on its way through the pipeline, as item hooks see it. */
export function bundleOf(item: FakeItem): Bundle {
  const parts = item.files.map((file) => ({ file, path: pathOf(file.uri) }));
  const media = parts.filter(({ file }) => file.type === 'media');
  const beside = parts.filter(({ file }) => file.type === 'auxiliary');
  const modified = (file: FakeFile) => new Date(file.modifiedAt).toISOString();
  return {
    files: {
      media: media.map(({ file, path }, number) => ({
        id: fakeId(0xf, number + 1),
        uri: file.uri,
        path,
        filename: path.slice(path.lastIndexOf('/') + 1),
        extension: extensionOf(path),
        size: file.size,
        modifiedAt: modified(file),
        type: 'primary',
        ...(extensionOf(path) === 'mkv' && { fileInfo: videoInfo(item) }),
      })),
      auxiliary: beside.map(({ file, path }) => ({
        uri: file.uri,
        path,
        extension: extensionOf(path),
        sourcePlugin: 'scanner',
        size: file.size,
        modifiedAt: modified(file),
      })),
    },
    fields: { title: item.title, ...item.metadata },
    ids: {},
    assets: [],
    subtitles: [],
    entities: {},
  };
}

/** What a probe says of such a film. */
function videoInfo({
  metadata,
}: FakeItem): NonNullable<Bundle['files']['media'][number]['fileInfo']> {
  const picture =
    metadata['resolution'] === '2160p'
      ? { codec: 'hevc', width: 3840, height: 2160, hdr: 'hdr10' }
      : { codec: 'h264', width: 1920, height: 1080 };
  return {
    container: 'matroska',
    bitrate: 8_000_000,
    streams: [
      { index: 0, kind: 'video', ...picture },
      { index: 1, kind: 'audio', codec: 'aac', language: 'en', channels: 6 },
    ],
  };
}

/** Below the root, which is the second name of the address. */
const pathOf = (uri: string): string =>
  decodeURIComponent(uri.split('/').slice(5).join('/').replaceAll('%2F', '%252F'));
