import { Readable } from 'node:stream';
import type { Texts } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../schemas.ts';
import { LyricsReply, TextReply, TrackParams } from './texts.schema.ts';

/** Text tracks of files, and lyrics. */
export const textRoutes: Routes<{ readonly texts: Texts }> = async (app, { texts }) => {
  app.get(
    '/api/files/:id/text/:track',
    {
      config: { access: 'guest', linked: 'file' },
      exposeHeadRoute: false,
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
      const asked = { isHead: false, ifNoneMatch: request.headers['if-none-match'] };
      const { status, headers, body } = await texts.open(wanted, viewerOf(request), asked);
      void reply.code(status === 304 ? 304 : 200).headers(headers);
      return reply.send(
        Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : undefined,
      );
    },
  );

  app.get(
    '/api/items/:id/lyrics',
    {
      config: { access: 'guest' },
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
