/** Items of a fake library in the shapes of `host.media`. */
import type { MediaFile, MediaItem, MediaTile } from '../../../../plugin-api/index.ts';
import { tileWords } from '../../../../src/library/catalogue/media/index.ts';
import { bundleOf, fakeId, type FakeItem } from './fake-item.ts';
import { addedAt } from './fake-media-query.ts';

const kinds: Readonly<Record<string, MediaFile['mediaKind']>> = {
  mkv: 'video',
  flac: 'audio',
  m4b: 'audio',
  jpg: 'image',
};

/** The item in full. */
export function toMediaItem(item: FakeItem, libraryName: string): MediaItem {
  const { id, libraryId, title, metadata } = item;
  const at = new Date(addedAt(item)).toISOString();
  return {
    id,
    libraryId,
    libraryName,
    title,
    metadata,
    certification: null,
    addedAt: at,
    updatedAt: at,
    assets: {},
    ...unmarked,
    files: bundleOf(item).files.media.map((file, at) => {
      const fileId = file.id ?? fakeId(0xf, at + 1);
      return {
        id: fileId,
        uri: `/api/files/${fileId}/stream`,
        filename: file.filename,
        extension: file.extension,
        mimeType: file.mimeType ?? 'application/octet-stream',
        mediaKind: kinds[file.extension] ?? 'text',
        classification: 'primary',
        edition: null,
        partNumber: null,
        size: file.size,
        duration: null,
        fileInfo: { ...file.fileInfo },
      };
    }),
    linkedEntities: item.entities.map(({ id, type, name, role }) => ({ id, type, name, role })),
  };
}

const unmarked = {
  playback: { completed: false, position: 0, duration: 0 },
  favourite: false,
  myRating: null,
  playCount: 0,
  lastPlayedAt: null,
};

/** The item as a tile. */
export function toMediaTile({ id, title, metadata }: FakeItem, libraryType: string): MediaTile {
  const { year } = metadata;
  return {
    id,
    ...tileWords(title, metadata, libraryType),
    year: typeof year === 'number' ? year : null,
    picture: null,
    progress: 0,
    watched: false,
    favourite: false,
    badges: [],
  };
}
