import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PictureFormat } from '../../../../plugin-api/index.ts';
import type { StreamAnswer, StreamRequest, Streams } from '../../../viewing/streaming/index.ts';
import { HiddenQuery, NoContent } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/files.ts';
import { routes } from '../../route.ts';
import { addVary } from '../../delivery/index.ts';
import { ErrorReply } from '../../error-schema.ts';

const shared = { tag: 'files', access: 'guest' } as const;
const streaming = { isStream: true, linked: 'file' } as const;
const refusal = { error: 'The range begins after the end of the file.' };

/** Files: the fields of one, and its bytes. */
export const fileRoutes = routes<{ readonly streams: Streams }>(shared, (route, { streams }) => {
  route('GET /api/files/:id', {
    holdsNoSecret: true,
    operation: 'getFile',
    summary: 'One file',
    query: HiddenQuery,
    reply: schema.FileReply,
    handler: async ({ params, viewer }) => ({ file: await streams.file(params.id, viewer) }),
  });

  route('HEAD /api/files/:id/stream', {
    ...streaming,
    summary: 'The headers of the bytes of a file',
    query: HiddenQuery,
    replies: { 200: NoContent, 304: NoContent },
    handler: async ({ params, viewer, request, reply }) => {
      const asked = askedOf(request);
      const { status, headers } = await streams.open(params.id, viewer, asked);
      return reply
        .code(status === 304 ? 304 : 200)
        .headers(headers)
        .send();
    },
  });

  const send = (reply: FastifyReply, { status, headers, body }: StreamAnswer) => {
    void reply.code(status).headers(headers);
    return reply.send(status === 416 ? refusal : (body ?? undefined));
  };

  route('GET /api/files/:id/stream', {
    ...streaming,
    exposeHeadRoute: false,
    operation: 'streamFile',
    summary: 'The bytes of a file',
    query: HiddenQuery,
    replies: { 200: schema.WholeFile, 206: schema.PartOfFile, 304: NoContent, 416: ErrorReply },
    handler: async ({ params, viewer, request, reply }) =>
      send(reply, await streams.open(params.id, viewer, askedOf(request))),
  });

  route('HEAD /api/assets/:id', {
    isStream: true,
    linked: 'asset',
    summary: 'The headers of a picture',
    query: schema.AssetQuery,
    replies: { 200: NoContent, 304: NoContent },
    handler: async ({ params, query, viewer, request, reply }) => {
      const asked = { ...askedOf(request), shape: shapeOf(query, request.headers.accept) };
      if (asked.shape !== undefined) addVary(reply, 'Accept');
      const answer = await streams.openAsset(params.id, viewer, asked);
      return reply
        .code(answer.status === 304 ? 304 : 200)
        .headers(answer.headers)
        .send();
    },
  });

  route('GET /api/assets/:id', {
    isStream: true,
    linked: 'asset',
    exposeHeadRoute: false,
    operation: 'getAsset',
    summary: 'A picture of an item, as it is stored or in another size and format',
    query: schema.AssetQuery,
    replies: { 200: schema.WholeFile, 206: schema.PartOfFile, 304: NoContent, 416: ErrorReply },
    handler: async ({ params, query, viewer, request, reply }) => {
      const asked = { ...askedOf(request), shape: shapeOf(query, request.headers.accept) };
      if (asked.shape !== undefined) addVary(reply, 'Accept');
      return send(reply, await streams.openAsset(params.id, viewer, asked));
    },
  });
});

const largestWidth = 1920;

/** The size and the format; `undefined` = as the picture is stored. */
function shapeOf({ width, format }: Static<typeof schema.AssetQuery>, accept: string | undefined) {
  if (width === undefined && format === undefined) return undefined;
  return { width: width ?? largestWidth, format: formatOf(format, accept) };
}

/** WebP for every client that names it, which all current browsers do; JPEG for others. */
function formatOf(format: PictureFormat | 'auto' = 'auto', accept = ''): PictureFormat {
  if (format !== 'auto') return format;
  return /image\/webp/i.test(accept) ? 'webp' : 'jpeg';
}

/** The headers on which a stream depends. */
function askedOf({ method, headers }: FastifyRequest): StreamRequest {
  return {
    isHead: method === 'HEAD',
    range: headers.range,
    ifRange: headers['if-range']?.toString(),
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
  };
}
