import type { FindPlayInfos, PlaybackSessions } from '../../../viewing/playback-sessions/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/playback-sessions.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'playback', access: 'guest', writes: 'often' } as const;

/** What a client needs to play a file, and its sessions of playing. */
export const playbackSessionRoutes = routes<{
  readonly playInfos: FindPlayInfos;
  readonly sessions: PlaybackSessions;
}>(shared, (route, { playInfos, sessions }) => {
  route('GET /api/items/:id/playback-info', {
    operation: 'getPlaybackInfo',
    summary: 'The tracks of the files of an item, and the types that a client tests',
    query: schema.PlaybackInfoQuery,
    reply: schema.PlaybackInfoReply,
    handler: async ({ params, query, viewer }) => ({
      files: await playInfos(params.id, query.fileId, viewer),
    }),
  });

  route('GET /api/playback/sessions', {
    operation: 'listPlaybackSessions',
    summary: 'What the profile plays now; for admins what everybody plays',
    query: schema.SessionsQuery,
    reply: schema.SessionsReply,
    handler: async ({ query, viewer }) =>
      shortReply('sessions', await sessions.list(viewer), query),
  });

  route('POST /api/playback/sessions', {
    operation: 'createPlaybackSession',
    summary: 'Begin to play a file in the way that suits the client',
    query: HiddenQuery,
    body: schema.SessionBody,
    created: schema.SessionReply,
    handler: async ({ body, viewer }) => ({ session: await sessions.create(body, viewer) }),
  });

  route('PATCH /api/playback/sessions/:id', {
    operation: 'updatePlaybackSession',
    summary: 'Report the position every ten seconds, or change what is played',
    body: schema.SessionChangeBody,
    reply: schema.SessionReply,
    handler: async ({ params, body, viewer }) => ({
      session: await sessions.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/playback/sessions/:id', {
    operation: 'endPlaybackSession',
    summary: 'End a session',
    handler: ({ params, viewer }) => sessions.end(params.id, viewer),
  });
});
