import { Type } from '@sinclair/typebox';
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
  type Shape,
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
  }),
);

export type PlaylistFile = Shape<typeof PlaylistFileReply>;

export const PlaylistFilesReply = Type.Object({ playlists: List(PlaylistFileReply), nextCursor });

const PlaylistFileEntry = Named(
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
  }),
);

/** A line of a playlist. */
export type PlaylistFileEntry = Shape<typeof PlaylistFileEntry>;

export const PlaylistContentsReply = Type.Object({
  playlist: PlaylistFileReply,
  entries: List(PlaylistFileEntry),
});

/** A playlist with its entries. */
export type PlaylistContents = Shape<typeof PlaylistContentsReply>;
