import { Type } from '@sinclair/typebox';
import type { PlaylistFile } from '../../../library/catalogue/media/index.ts';
import type { PlaylistContents } from '../../../viewing/playlist-files/index.ts';
import { Tile } from '../library/catalogue.ts';
import {
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  hiddenQuery,
  nextCursor,
  shortListQuery,
  type FieldsOf,
} from '../schema-parts.ts';

export const PlaylistFilesQuery = Type.Object({ ...hiddenQuery, ...shortListQuery });

export const PlaylistFileParams = Type.Object({ id: Id, fileId: Id });

const PlaylistFileReply = Named(
  'PlaylistFile',
  Type.Object({
    id: Id,
    libraryId: Id,
    name: Type.String({ description: 'That of the file, without its extension' }),
    path: Type.String({ description: 'Below its folder of the library' }),
  } satisfies FieldsOf<PlaylistFile>),
);

export const PlaylistFilesReply = Type.Object({ playlists: List(PlaylistFileReply), nextCursor });

export const PlaylistContentsReply = Type.Object({
  playlist: PlaylistFileReply,
  entries: List(
    Named(
      'PlaylistFileEntry',
      Type.Object({
        title: Type.String(),
        duration: Nullable(Type.Number({ description: 'Seconds, as the playlist says' })),
        item: Nullable(Tile),
        problem: Nullable(
          OneOf(['missing', 'address'], {
            description: 'Why there is no item: no such file in the library, or one on the network',
          }),
        ),
      } satisfies FieldsOf<PlaylistContents['entries'][number]>),
    ),
  ),
});
