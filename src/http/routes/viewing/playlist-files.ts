import type { PlaylistFiles } from '../../../viewing/playlist-files/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams } from '../../../contract/resources/schema-parts.ts';
import { shortPage } from '../../short-list.ts';
import {
  PlaylistContentsReply,
  PlaylistFileParams,
  PlaylistFilesQuery,
  PlaylistFilesReply,
} from '../../../contract/resources/viewing/playlist-files.ts';

const config = { access: 'guest', holdsNoSecret: true } as const;

/** Playlists that are files of a library. */
export const playlistFileRoutes: Routes<{ readonly playlistFiles: PlaylistFiles }> = async (
  app,
  { playlistFiles },
) => {
  app.get(
    '/api/libraries/:id/playlists',
    {
      config,
      schema: {
        operationId: 'listPlaylistFiles',
        summary: 'Playlist files (M3U) of a library',
        tags: ['libraries'],
        params: IdParams,
        querystring: PlaylistFilesQuery,
        response: { 200: PlaylistFilesReply },
      },
    },
    async (request) => {
      const list = await playlistFiles.list(request.params.id, viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { playlists: page, nextCursor };
    },
  );

  app.get(
    '/api/libraries/:id/playlists/:fileId',
    {
      config,
      schema: {
        operationId: 'getPlaylistFile',
        summary: 'A playlist file with its entries, as it is now',
        tags: ['libraries'],
        params: PlaylistFileParams,
        querystring: HiddenQuery,
        response: { 200: PlaylistContentsReply },
      },
    },
    async (request) => {
      const { id, fileId } = request.params;
      return playlistFiles.get(id, fileId, viewerOf(request));
    },
  );
};
