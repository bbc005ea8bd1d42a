import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  playlistHeaders,
  type Asked,
  type SessionMedia,
} from '../../../viewing/playback-sessions/index.ts';
import type { StreamAnswer } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  FirstReply,
  FontParams,
  FontReply,
  LinkParams,
  PartOfFile,
  PartParams,
  PartReply,
  PlaylistReply,
  QualityParams,
  TextParams,
  TextQuery,
  TrickplayParams,
  TrickplayReply,
  TextReply,
  WholeFile,
} from '../../../contract/resources/viewing/session-media.ts';
import { ErrorReply } from '../../error-schema.ts';

const tags = ['playback'];
const base = '/api/playback/sessions/:id/:link';
const config = { access: 'guest', linked: 'session', isStream: true } as const;
const refusal = { error: 'The range begins after the end of the file.' };

/** The addresses of a session, which need no header: its token is in their path. */
export const sessionMediaRoutes: Routes<{ readonly sessionMedia: SessionMedia }> = async (
  app,
  { sessionMedia },
) => {
  app.get(
    `${base}/master.m3u8`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getMasterPlaylist',
        summary: 'The playlist of a session',
        tags,
        params: LinkParams,
        response: { 200: PlaylistReply },
      },
    },
    async (request, reply) =>
      reply
        .headers(playlistHeaders)
        .send(await sessionMedia.master(request.params.id, viewerOf(request))),
  );

  for (const keyframesOnly of [false, true]) {
    app.get(
      `${base}/:track/:quality/${keyframesOnly ? 'iframes' : 'index'}.m3u8`,
      {
        config,
        exposeHeadRoute: false,
        schema: {
          operationId: keyframesOnly ? 'getKeyframePlaylist' : 'getTrackPlaylist',
          summary: keyframesOnly
            ? 'The keyframes of a track, for fast scrubbing'
            : 'The segments of one quality of a track',
          tags,
          params: QualityParams,
          response: { 200: PlaylistReply },
        },
      },
      async (request, reply) => {
        const { id, track, quality } = request.params;
        const wanted = { track, quality, keyframesOnly };
        const playlist = await sessionMedia.playlist(id, wanted, viewerOf(request));
        return reply.headers(playlistHeaders).send(playlist);
      },
    );
  }

  app.get(
    `${base}/:track/:quality/:part`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getSegment',
        summary: 'A segment of a track, or its init segment',
        tags,
        params: PartParams,
        response: { 200: PartReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id, track, quality, part } = request.params;
      const wanted = { track, quality, name: part };
      return send(reply, await sessionMedia.part(id, wanted, askedBy(request)));
    },
  );

  app.get(
    `${base}/first`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getFirstParts',
        summary: 'What a player asks for first, in one answer',
        tags,
        params: LinkParams,
        response: { 200: FirstReply },
      },
    },
    async (request, reply) =>
      send(reply, await sessionMedia.first(request.params.id, askedBy(request))),
  );

  app.get(
    `${base}/file`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getSessionFile',
        summary: 'The bytes of the file of a session',
        tags,
        params: LinkParams,
        response: { 200: WholeFile, 206: PartOfFile, 304: NoContent, 416: ErrorReply },
      },
    },
    async (request, reply) => {
      const answer = await sessionMedia.file(request.params.id, askedBy(request));
      return send(reply, answer);
    },
  );

  app.get(
    `${base}/text/:text`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getSessionText',
        summary: 'A text track of a session, at the times of the session',
        tags,
        params: TextParams,
        querystring: TextQuery,
        response: { 200: TextReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id, text } = request.params;
      const wanted = { name: text, from: request.query.from ?? 0 };
      return send(reply, await sessionMedia.text(id, wanted, askedBy(request)));
    },
  );

  app.get(
    `${base}/trickplay/:name`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getTrickplay',
        summary: 'Little pictures for the bar of a player: their times, or a sheet of them',
        tags,
        params: TrickplayParams,
        response: { 200: TrickplayReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id, name } = request.params;
      return send(reply, await sessionMedia.trickplay(id, name, askedBy(request)));
    },
  );

  app.get(
    `${base}/fonts/:index`,
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'getSessionFont',
        summary: 'A font that is in the file of a session',
        tags,
        params: FontParams,
        response: { 200: FontReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id, index } = request.params;
      return send(reply, await sessionMedia.font(id, Number(index), askedBy(request)));
    },
  );
};

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
