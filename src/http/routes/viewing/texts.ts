import type { FastifyReply } from 'fastify';
import type { StreamAnswer, Texts } from '../../../viewing/streaming/index.ts';
import { HiddenQuery, NoContent } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/texts.ts';
import { routes } from '../../route.ts';
import { plainTags } from '../../delivery/index.ts';

const shared = { tag: 'files', access: 'guest' } as const;

/** Text tracks of files, and lyrics. */
export const textRoutes = routes<{ readonly texts: Texts }>(shared, (route, { texts }) => {
  const send = (reply: FastifyReply, { status, headers, body }: StreamAnswer) => {
    void reply.code(status === 304 ? 304 : 200).headers(headers);
    return reply.send(body ?? undefined);
  };

  route('GET /api/files/:id/text/:track', {
    holdsNoSecret: true,
    linked: 'file',
    operation: 'getTextTrack',
    summary: 'Subtitles or lyrics of a file, as WebVTT or ASS',
    params: schema.TrackParams,
    query: HiddenQuery,
    replies: { 200: schema.TextReply, 304: NoContent },
    handler: async ({ params, viewer, request, reply }) => {
      const { id, track } = params;
      const [name = '', form] = track.split('.');
      const wanted = { fileId: id, track: name, to: form === 'ass' ? 'ass' : 'vtt' } as const;
      const asked = { isHead: false, ifNoneMatch: plainTags(request) };
      return send(reply, await texts.open(wanted, viewer, asked));
    },
  });

  route('GET /api/files/:id/fonts', {
    holdsNoSecret: true,
    linked: 'file',
    operation: 'getFonts',
    summary: 'Fonts that are in a file, for its ASS tracks',
    query: HiddenQuery,
    reply: schema.FontsReply,
    handler: async ({ params, viewer }) => ({ fonts: await texts.fonts(params.id, viewer) }),
  });

  route('GET /api/files/:id/fonts/:index', {
    linked: 'file',
    isStream: true,
    exposeHeadRoute: false,
    operation: 'getFont',
    summary: 'A font that is in a file',
    params: schema.FontParams,
    query: HiddenQuery,
    replies: { 200: schema.FontReply, 304: NoContent },
    handler: async ({ params, viewer, request, reply }) => {
      const { id: fileId, index } = params;
      const wanted = { fileId, index: Number(index) };
      const asked = { isHead: false, ifNoneMatch: request.headers['if-none-match'] };
      return send(reply, await texts.openFont(wanted, viewer, asked));
    },
  });

  route('GET /api/items/:id/lyrics', {
    holdsNoSecret: true,
    operation: 'getLyrics',
    summary: 'The lyrics of an item, with their times if they have some',
    tag: 'items',
    query: HiddenQuery,
    reply: schema.LyricsReply,
    handler: ({ params, viewer }) => texts.lyrics(params.id, viewer),
  });
});
