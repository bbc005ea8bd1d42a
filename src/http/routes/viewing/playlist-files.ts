import type { PlaylistFiles } from '../../../viewing/playlist-files/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/playlist-files.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'libraries', access: 'guest', holdsNoSecret: true } as const;

/** Playlists that are files of a library. */
export const playlistFileRoutes = routes<{
  readonly playlistFiles: PlaylistFiles;
}>(shared, (route, { playlistFiles }) => {
  route('GET /api/libraries/:id/playlists', {
    operation: 'listPlaylistFiles',
    summary: 'Playlist files (M3U) of a library',
    query: schema.PlaylistFilesQuery,
    reply: schema.PlaylistFilesReply,
    handler: async ({ params, query, viewer }) =>
      shortReply('playlists', await playlistFiles.list(params.id, viewer), query),
  });

  route('GET /api/libraries/:id/playlists/:fileId', {
    operation: 'getPlaylistFile',
    summary: 'A playlist file with its entries, as it is now',
    params: schema.PlaylistFileParams,
    query: HiddenQuery,
    reply: schema.PlaylistContentsReply,
    handler: ({ params, viewer }) => playlistFiles.get(params.id, params.fileId, viewer),
  });
});
