import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  playlistHeaders,
  type Asked,
  type SessionMedia,
} from '../../../viewing/playback-sessions/index.ts';
import type { StreamAnswer } from '../../../viewing/streaming/index.ts';
import { NoContent } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/session-media.ts';
import { routes } from '../../route.ts';
import { viewerOf } from '../../access.ts';
import { ErrorReply } from '../../error-schema.ts';

const shared = {
  tag: 'playback',
  access: 'guest',
  linked: 'session',
  isStream: true,
  exposeHeadRoute: false,
} as const;
const base = '/api/playback/sessions/:id/:link';
const refusal = { error: 'The range begins after the end of the file.' };

/** The addresses of a session, which need no header: its token is in their path. */
export const sessionMediaRoutes = routes<{
  readonly sessionMedia: SessionMedia;
}>(shared, (route, { sessionMedia }) => {
  route(`GET ${base}/master.m3u8`, {
    operation: 'getMasterPlaylist',
    summary: 'The playlist of a session',
    params: schema.LinkParams,
    reply: schema.PlaylistReply,
    handler: async ({ params, viewer, reply }) =>
      reply.headers(playlistHeaders).send(await sessionMedia.master(params.id, viewer)),
  });

  for (const keyframesOnly of [false, true]) {
    route(`GET ${base}/:track/:quality/${keyframesOnly ? 'iframes' : 'index'}.m3u8`, {
      operation: keyframesOnly ? 'getKeyframePlaylist' : 'getTrackPlaylist',
      summary: keyframesOnly
        ? 'The keyframes of a track, for fast scrubbing'
        : 'The segments of one quality of a track',
      params: schema.QualityParams,
      reply: schema.PlaylistReply,
      handler: async ({ params: { id, track, quality }, viewer, reply }) => {
        const wanted = { track, quality, keyframesOnly };
        const playlist = await sessionMedia.playlist(id, wanted, viewer);
        return reply.headers(playlistHeaders).send(playlist);
      },
    });
  }

  route(`GET ${base}/:track/:quality/:part`, {
    operation: 'getSegment',
    summary: 'A segment of a track, or its init segment',
    params: schema.PartParams,
    replies: { 200: schema.PartReply, 304: NoContent },
    handler: async ({ params: { id, track, quality, part: name }, request, reply }) =>
      send(reply, await sessionMedia.part(id, { track, quality, name }, askedBy(request))),
  });

  route(`GET ${base}/first`, {
    operation: 'getFirstParts',
    summary: 'What a player asks for first, in one answer',
    params: schema.LinkParams,
    reply: schema.FirstReply,
    handler: async ({ params, request, reply }) =>
      send(reply, await sessionMedia.first(params.id, askedBy(request))),
  });

  route(`GET ${base}/file`, {
    operation: 'getSessionFile',
    summary: 'The bytes of the file of a session',
    params: schema.LinkParams,
    replies: { 200: schema.WholeFile, 206: schema.PartOfFile, 304: NoContent, 416: ErrorReply },
    handler: async ({ params, request, reply }) =>
      send(reply, await sessionMedia.file(params.id, askedBy(request))),
  });

  route(`GET ${base}/text/:text`, {
    operation: 'getSessionText',
    summary: 'A text track of a session, at the times of the session',
    params: schema.TextParams,
    query: schema.TextQuery,
    replies: { 200: schema.TextReply, 304: NoContent },
    handler: async ({ params: { id, text: name }, query: { from = 0 }, request, reply }) =>
      send(reply, await sessionMedia.text(id, { name, from }, askedBy(request))),
  });

  route(`GET ${base}/trickplay/:name`, {
    operation: 'getTrickplay',
    summary: 'Little pictures for the bar of a player: their times, or a sheet of them',
    params: schema.TrickplayParams,
    replies: { 200: schema.TrickplayReply, 304: NoContent },
    handler: async ({ params, request, reply }) =>
      send(reply, await sessionMedia.trickplay(params.id, params.name, askedBy(request))),
  });

  route(`GET ${base}/fonts/:index`, {
    operation: 'getSessionFont',
    summary: 'A font that is in the file of a session',
    params: schema.FontParams,
    replies: { 200: schema.FontReply, 304: NoContent },
    handler: async ({ params, request, reply }) =>
      send(reply, await sessionMedia.font(params.id, Number(params.index), askedBy(request))),
  });
});

function askedBy(request: FastifyRequest): Asked {
  const { headers } = request;
  return {
    viewer: viewerOf(request),
    request: {
      isHead: false,
      range: headers.range,
      ifRange: headers['if-range']?.toString(),
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
    },
  };
}

function send(reply: FastifyReply, { status, headers, body }: StreamAnswer): FastifyReply {
  void reply.code(status).headers(headers);
  if (status === 416) return reply.send(refusal);
  const stream = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  return reply.send(stream ?? undefined);
}
