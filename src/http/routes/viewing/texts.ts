import type { FastifyReply } from 'fastify';
import type { StreamAnswer, Texts } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import { plainTags } from '../../delivery/index.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  FontParams,
  FontReply,
  FontsReply,
  LyricsReply,
  TextReply,
  TrackParams,
} from '../../../contract/resources/viewing/texts.ts';

/** Text tracks of files, and lyrics. */
export const textRoutes: Routes<{ readonly texts: Texts }> = async (app, { texts }) => {
  const send = (reply: FastifyReply, { status, headers, body }: StreamAnswer) => {
    void reply.code(status === 304 ? 304 : 200).headers(headers);
    return reply.send(body ?? undefined);
  };

  app.get(
    '/api/files/:id/text/:track',
    {
      config: { access: 'guest', holdsNoSecret: true, linked: 'file' },
      schema: {
        operationId: 'getTextTrack',
        summary: 'Subtitles or lyrics of a file, as WebVTT or ASS',
        tags: ['files'],
        params: TrackParams,
        querystring: HiddenQuery,
        response: { 200: TextReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id, track } = request.params;
      const [name = '', form] = track.split('.');
      const wanted = { fileId: id, track: name, to: form === 'ass' ? 'ass' : 'vtt' } as const;
      const asked = { isHead: false, ifNoneMatch: plainTags(request) };
      return send(reply, await texts.open(wanted, viewerOf(request), asked));
    },
  );

  app.get(
    '/api/files/:id/fonts',
    {
      config: { access: 'guest', holdsNoSecret: true, linked: 'file' },
      schema: {
        operationId: 'getFonts',
        summary: 'Fonts that are in a file, for its ASS tracks',
        tags: ['files'],
        params: IdParams,
        querystring: HiddenQuery,
        response: { 200: FontsReply },
      },
    },
    async (request) => ({ fonts: await texts.fonts(request.params.id, viewerOf(request)) }),
  );

  app.get(
    '/api/files/:id/fonts/:index',
    {
      config: { access: 'guest', linked: 'file', isStream: true },
      exposeHeadRoute: false,
      schema: {
        operationId: 'getFont',
        summary: 'A font that is in a file',
        tags: ['files'],
        params: FontParams,
        querystring: HiddenQuery,
        response: { 200: FontReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { id: fileId, index } = request.params;
      const wanted = { fileId, index: Number(index) };
      const asked = { isHead: false, ifNoneMatch: request.headers['if-none-match'] };
      return send(reply, await texts.openFont(wanted, viewerOf(request), asked));
    },
  );

  app.get(
    '/api/items/:id/lyrics',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'getLyrics',
        summary: 'The lyrics of an item, with their times if they have some',
        tags: ['items'],
        params: IdParams,
        querystring: HiddenQuery,
        response: { 200: LyricsReply },
      },
    },
    async (request) => texts.lyrics(request.params.id, viewerOf(request)),
  );
};
