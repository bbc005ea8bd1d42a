/** The playlist files (`.m3u`, `.m3u8`) of libraries, and which items the files in them are. */
import type { Database } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { toKnown, type Access, type Scope } from '../access/index.ts';
import type { FileRow } from '../tables/file-store.ts';
import { fileName, relativePath, stemOf } from '../tables/file-uri.ts';
import { findLibrary, rootsOf, type LibraryRow } from '../tables/library-store.ts';
import { inChunks } from '../tables/rows.ts';
import type { PlaylistFile } from '../../../contract/resources/viewing/playlist-files.ts';

/** Where it is. */
export interface PlaylistPlace {
  readonly file: PlaylistFile;
  readonly uri: string;
  /** The folders of its library. */
  readonly roots: readonly string[];
}

/** A library that the viewer may not know is not found. */
export type PlaylistPlaces = ReturnType<typeof createPlaylistPlaces>;

export interface PlaylistPlacesParts {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'knows' | 'scopeWithin'>;
}

const mostFiles = 1000;

export function createPlaylistPlaces({ database, access }: PlaylistPlacesParts) {
  const db = database.read;

  async function open(id: string, viewer: Viewer): Promise<LibraryRow | null> {
    const row = await findLibrary(db, id);
    if (row === undefined || !access.knows(viewer, toKnown(row)))
      throw new AppError('not_found', { what: `Library ${id}` });
    return isLimited(await access.scopeWithin(viewer, toKnown(row))) ? null : row;
  }

  const filesOf = (row: LibraryRow) =>
    db<FileRow>('files')
      .where('library_no', row.no)
      .whereRaw(
        `type = 'auxiliary' and status <> 'missing' and (uri like '%.m3u' or uri like '%.m3u8'
         or uri like '%.M3U' or uri like '%.M3U8')`,
      )
      .orderBy('uri');

  return {
    /**
     * At most 1,000, by path. A file has no certification: who is limited by certifications sees
     * none.
     */
    list: async (libraryId: string, viewer: Viewer): Promise<readonly PlaylistFile[]> => {
      const row = await open(libraryId, viewer);
      if (row === null) return [];
      const files = await filesOf(row).limit(mostFiles).select('id', 'uri');
      return files.map((file) => toPlaylist(row, file));
    },
    find: async (libraryId: string, fileId: string, viewer: Viewer): Promise<PlaylistPlace> => {
      const row = await open(libraryId, viewer);
      const file = row && (await filesOf(row).where('id', fileId).first('id', 'uri'));
      if (row === null || !file) throw new AppError('not_found', { what: `Playlist ${fileId}` });
      return { file: toPlaylist(row, file), uri: file.uri, roots: rootsOf(row) };
    },
    /** The ids of the items of these media files of the library, be they visible or not. */
    itemsAt: async (
      libraryId: string,
      uris: readonly string[],
    ): Promise<ReadonlyMap<string, string>> => {
      const rows = await inChunks([...new Set(uris)], (group) =>
        db('files')
          .join('items', 'items.no', 'files.item_no')
          .join('libraries', 'libraries.no', 'files.library_no')
          .where({ 'libraries.id': libraryId, 'files.type': 'media' })
          .whereIn('files.uri', [...group])
          .select<{ uri: string; id: string }[]>('files.uri', 'items.id'),
      );
      return new Map(rows.map(({ uri, id }) => [uri, id]));
    },
  };
}

const isLimited = ({ libraries }: Scope): boolean =>
  libraries.some(({ certifications }) => certifications !== null);

function toPlaylist(row: LibraryRow, { id, uri }: Pick<FileRow, 'id' | 'uri'>): PlaylistFile {
  const root = rootsOf(row).find((one) => uri.startsWith(`${one}/`));
  return {
    id,
    libraryId: row.id,
    name: stemOf(fileName(uri)),
    path: root === undefined ? fileName(uri) : relativePath(root, uri),
  };
}
