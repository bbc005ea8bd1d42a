import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PictureFormat } from '../../../../plugin-api/index.ts';
import type { StreamAnswer, StreamRequest, Streams } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import { addVary } from '../../delivery/index.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  AssetQuery,
  FileReply,
  PartOfFile,
  WholeFile,
} from '../../../contract/resources/library/files.ts';
import { ErrorReply } from '../../error-schema.ts';

const tags = ['files'];
const params = IdParams;
const querystring = HiddenQuery;
const config = { access: 'guest', isStream: true, linked: 'file' } as const;
const streamReplies = { 200: WholeFile, 206: PartOfFile, 304: NoContent, 416: ErrorReply };
const headReplies = { 200: NoContent, 304: NoContent };
const refusal = { error: 'The range begins after the end of the file.' };

/** Files: the fields of one, and its bytes. */
export const fileRoutes: Routes<{ readonly streams: Streams }> = async (app, { streams }) => {
  app.get(
    '/api/files/:id',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'getFile',
        summary: 'One file',
        tags,
        params,
        querystring,
        response: { 200: FileReply },
      },
    },
    async (request) => ({ file: await streams.file(request.params.id, viewerOf(request)) }),
  );

  app.head(
    '/api/files/:id/stream',
    {
      config,
      schema: {
        summary: 'The headers of the bytes of a file',
        tags,
        params,
        querystring,
        response: headReplies,
      },
    },
    async (request, reply) => {
      const asked = askedOf(request);
      const { status, headers } = await streams.open(request.params.id, viewerOf(request), asked);
      return reply
        .code(status === 304 ? 304 : 200)
        .headers(headers)
        .send();
    },
  );

  const send = (reply: FastifyReply, { status, headers, body }: StreamAnswer) => {
    void reply.code(status).headers(headers);
    return reply.send(status === 416 ? refusal : (body ?? undefined));
  };

  app.get(
    '/api/files/:id/stream',
    {
      config,
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamFile',
        summary: 'The bytes of a file',
        tags,
        params,
        querystring,
        response: streamReplies,
      },
    },
    async (request, reply) =>
      send(reply, await streams.open(request.params.id, viewerOf(request), askedOf(request))),
  );

  app.head(
    '/api/assets/:id',
    {
      config: { ...config, linked: 'asset' },
      schema: {
        summary: 'The headers of a picture',
        tags,
        params,
        querystring: AssetQuery,
        response: headReplies,
      },
    },
    async (request, reply) => {
      const asked = { ...askedOf(request), shape: shapeOf(request.query, request.headers.accept) };
      if (asked.shape !== undefined) addVary(reply, 'Accept');
      const answer = await streams.openAsset(request.params.id, viewerOf(request), asked);
      return reply
        .code(answer.status === 304 ? 304 : 200)
        .headers(answer.headers)
        .send();
    },
  );

  app.get(
    '/api/assets/:id',
    {
      config: { ...config, linked: 'asset' },
      exposeHeadRoute: false,
      schema: {
        operationId: 'getAsset',
        summary: 'A picture of an item, as it is stored or in another size and format',
        tags,
        params,
        querystring: AssetQuery,
        response: streamReplies,
      },
    },
    async (request, reply) => {
      const asked = { ...askedOf(request), shape: shapeOf(request.query, request.headers.accept) };
      if (asked.shape !== undefined) addVary(reply, 'Accept');
      return send(reply, await streams.openAsset(request.params.id, viewerOf(request), asked));
    },
  );
};

const largestWidth = 1920;

/** The size and the format; `undefined` = as the picture is stored. */
function shapeOf({ width, format }: Static<typeof AssetQuery>, accept: string | undefined) {
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
