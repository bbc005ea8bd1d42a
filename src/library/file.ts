import mime from 'mime';
import { toChapters, type Chapter } from './chapter.ts';
import type { ChapterRow } from './extras-store.ts';
import type { FileStatus, ShownFileRow } from './file-store.ts';
import { extensionOf, fileName } from './file-uri.ts';
import { parseMap, timestamp } from './rows.ts';

/** The File resource. Size in bytes, duration in seconds. */
export interface LibraryFile {
  readonly id: string;
  readonly libraryId: string;
  readonly itemId: string;
  readonly uri: string;
  readonly filename: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly mediaKind: MediaKind;
  readonly type: string;
  readonly status: FileStatus;
  readonly classification: string;
  readonly edition: string | null;
  readonly partNumber: number | null;
  readonly size: number;
  readonly duration: number | null;
  readonly fileInfo: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, string>>;
  readonly assetAspects: Readonly<Record<string, string>>;
  readonly chapters: readonly Chapter[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a file is to the one who plays it. */
export type MediaKind = 'video' | 'audio' | 'image' | 'text';

/** The file of a row. */
export function toFile(
  row: ShownFileRow,
  owner: { readonly libraryId: string; readonly itemId: string },
  chapters: readonly ChapterRow[],
): LibraryFile {
  const filename = fileName(row.uri);
  const extension = extensionOf(filename);
  const mimeType = mime.getType(extension) ?? 'application/octet-stream';
  return {
    id: row.id,
    ...owner,
    uri: row.uri,
    filename,
    extension,
    mimeType,
    mediaKind: mediaKindOf(mimeType),
    type: row.type,
    status: row.status,
    classification: row.classification,
    edition: row.edition,
    partNumber: row.part_number,
    size: Number(row.size),
    duration: row.duration,
    fileInfo: parseMap(row.file_info),
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
    chapters: toChapters(chapters, row),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

function mediaKindOf(mimeType: string): MediaKind {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return kind === 'video' || kind === 'audio' || kind === 'image' ? kind : 'text';
}
