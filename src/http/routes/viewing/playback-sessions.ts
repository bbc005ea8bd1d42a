import type { FindPlayInfos, PlaybackSessions } from '../../../viewing/playback-sessions/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { shortPage } from '../../short-list.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  PlaybackInfoQuery,
  PlaybackInfoReply,
  SessionBody,
  SessionChangeBody,
  SessionReply,
  SessionsQuery,
  SessionsReply,
} from '../../../contract/resources/viewing/playback-sessions.ts';

const tags = ['playback'];
const config = { access: 'guest', writes: 'often' } as const;

/** What a client needs to play a file, and its sessions of playing. */
export const playbackSessionRoutes: Routes<{
  readonly playInfos: FindPlayInfos;
  readonly sessions: PlaybackSessions;
}> = async (app, { playInfos, sessions }) => {
  app.get(
    '/api/items/:id/playback-info',
    {
      config,
      schema: {
        operationId: 'getPlaybackInfo',
        summary: 'The tracks of the files of an item, and the types that a client tests',
        tags,
        params: IdParams,
        querystring: PlaybackInfoQuery,
        response: { 200: PlaybackInfoReply },
      },
    },
    async (request) => {
      const { params, query } = request;
      return { files: await playInfos(params.id, query.fileId, viewerOf(request)) };
    },
  );

  app.get(
    '/api/playback/sessions',
    {
      config,
      schema: {
        operationId: 'listPlaybackSessions',
        summary: 'What the profile plays now; for admins what everybody plays',
        tags,
        querystring: SessionsQuery,
        response: { 200: SessionsReply },
      },
    },
    async (request) => {
      const all = await sessions.list(viewerOf(request));
      const { page, nextCursor } = shortPage(all, request.query, ({ id }) => id);
      return { sessions: page, nextCursor };
    },
  );

  app.post(
    '/api/playback/sessions',
    {
      config,
      schema: {
        operationId: 'createPlaybackSession',
        summary: 'Begin to play a file in the way that suits the client',
        tags,
        querystring: HiddenQuery,
        body: SessionBody,
        response: { 201: SessionReply },
      },
    },
    async (request, reply) => {
      const session = await sessions.create(request.body, viewerOf(request));
      return reply.code(201).send({ session });
    },
  );

  app.patch(
    '/api/playback/sessions/:id',
    {
      config,
      schema: {
        operationId: 'updatePlaybackSession',
        summary: 'Report the position every ten seconds, or change what is played',
        tags,
        params: IdParams,
        body: SessionChangeBody,
        response: { 200: SessionReply },
      },
    },
    async (request) => {
      const { params, body } = request;
      return { session: await sessions.update(params.id, body, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/playback/sessions/:id',
    {
      config,
      schema: {
        operationId: 'endPlaybackSession',
        summary: 'End a session',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await sessions.end(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
