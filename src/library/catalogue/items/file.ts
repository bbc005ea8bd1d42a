import mime from 'mime';
import type { Scope } from '../access/index.ts';
import { toChapters } from './chapter.ts';
import type { ChapterRow } from '../tables/extras-store.ts';
import type { ShownFileRow } from '../tables/file-store.ts';
import { extensionOf, fileName } from '../tables/file-uri.ts';
import { shownLoudness } from './loudness.ts';
import { isMap, parseMap, timestamp } from '../tables/rows.ts';
import type { LibraryFile, TextTrack } from '../../../contract/resources/library/catalogue.ts';

/** How a player treats a file. */
export type MediaKind = 'video' | 'audio' | 'image' | 'text';

/** How a file is named and sent; `uri` is its location. */
export type FileContent = Pick<LibraryFile, 'id' | 'uri' | 'filename' | 'extension' | 'mimeType'>;

/** What is needed to read a file. */
export interface PlacedContent extends FileContent {
  /** Those of its library now: only below them may it be opened. */
  readonly roots: readonly string[];
}

/** The item of a file, and what may be shown of the file. */
export interface FileOwner {
  readonly libraryId: string;
  readonly itemId: string;
  readonly scope: Pick<Scope, 'showsPaths' | 'readFree'>;
}

/** What is stored beside the row of a file. */
export interface FileExtras {
  readonly chapters: readonly ChapterRow[];
  readonly text: readonly TextTrack[];
}

/** The readable content of a row. */
export function contentOf({
  id,
  uri,
  file_info,
}: Pick<ShownFileRow, 'id' | 'uri' | 'file_info'>): FileContent {
  const filename = fileName(uri);
  const extension = extensionOf(filename);
  return { id, uri, filename, extension, mimeType: mimeTypeOf(extension, file_info) };
}

/** The file of a row. Paths are for admins: other viewers get the address that serves the file. */
export function toFile(
  row: ShownFileRow,
  { libraryId, itemId, scope: { showsPaths, readFree } }: FileOwner,
  { chapters, text }: FileExtras,
): LibraryFile {
  const { id, uri, filename, extension, mimeType } = contentOf(row);
  const size = Number(row.size);
  const info = readFree(row.file_info);
  return {
    id,
    libraryId,
    itemId,
    uri: showsPaths ? uri : `/api/files/${id}/stream`,
    filename,
    extension,
    mimeType,
    mediaKind: mediaKindOf(mimeType) ?? probedKind(row.file_info) ?? 'text',
    type: row.type,
    status: row.status,
    classification: row.classification,
    edition: row.edition,
    partNumber: row.part_number,
    size,
    duration: row.duration,
    fileInfo: shownInfo(info, showsPaths),
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
    chapters: toChapters(chapters, row, readFree),
    text,
    loudness: shownLoudness({ loudness: row.loudness, size }, info['replayGain']),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** A plugin's error message may contain a path on the server. */
function shownInfo(
  info: Readonly<Record<string, unknown>>,
  showsPaths: boolean,
): Readonly<Record<string, unknown>> {
  const { error } = info;
  if (showsPaths || !isMap(error)) return info;
  return { ...info, error: { code: error['code'] } };
}

/** That of the extension; where this is not one of media, that of the container that a probe found. */
function mimeTypeOf(extension: string, fileInfo: string | null): string {
  const named = mime.getType(extension) ?? 'application/octet-stream';
  if (fileInfo === null || mediaKindOf(named) !== null) return named;
  const kind = probedKind(fileInfo);
  if (kind === null) return named;
  const container = String(parseMap(fileInfo)['container']);
  const found = `${kind}/${containerTypes[container] ?? container}`;
  return mime.getExtension(found) === null ? named : found;
}

/** Subtypes of containers whose name is not their subtype. */
const containerTypes: Readonly<Record<string, string>> = {
  matroska: 'x-matroska',
  mpegts: 'mp2t',
  avi: 'x-msvideo',
  mov: 'quicktime',
};

/** What the probe found in the file; `null` = it was not read, or has neither sound nor pictures. */
function probedKind(fileInfo: string | null): MediaKind | null {
  const { streams } = parseMap(fileInfo);
  const list: readonly unknown[] = Array.isArray(streams) ? streams : [];
  const kinds = new Set(list.filter(isMap).map((stream) => stream['kind']));
  return kinds.has('video') ? 'video' : kinds.has('audio') ? 'audio' : null;
}

function mediaKindOf(mimeType: string): MediaKind | null {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return kind === 'video' || kind === 'audio' || kind === 'image' ? kind : null;
}
