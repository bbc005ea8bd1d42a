import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { StreamAnswer, StreamRequest, Streams } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../schemas.ts';
import { FileReply, PartOfFile, RangeRefusal, WholeFile } from './files.schema.ts';

const tags = ['files'];
const params = IdParams;
const querystring = HiddenQuery;
const config = { access: 'guest', isStream: true, linked: 'file' } as const;
const streamReplies = { 200: WholeFile, 206: PartOfFile, 304: NoContent, 416: RangeRefusal };
const headReplies = { 200: NoContent, 304: NoContent };
const refusal = { error: 'The range begins after the end of the file.' };

/** Files: the fields of one, and its bytes. */
export const fileRoutes: Routes<{ readonly streams: Streams }> = async (app, { streams }) => {
  app.get(
    '/api/files/:id',
    {
      config: { access: 'guest' },
      schema: { summary: 'One file', tags, params, querystring, response: { 200: FileReply } },
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

  const serve = (url: string, summary: string, open: Streams['open'], linked: 'file' | 'asset') =>
    app.get(
      url,
      {
        config: { ...config, linked },
        exposeHeadRoute: false,
        schema: { summary, tags, params, querystring, response: streamReplies },
      },
      async (request, reply) => {
        const answer = await open(request.params.id, viewerOf(request), askedOf(request));
        const { status, headers, body } = answer;
        void reply.code(status).headers(headers);
        return reply.send(status === 416 ? refusal : asStream(body));
      },
    );

  serve('/api/files/:id/stream', 'The bytes of a file', streams.open, 'file');
  serve('/api/assets/:id', 'A picture of an item', streams.openAsset, 'asset');
};

const asStream = (body: StreamAnswer['body']): Readable | undefined =>
  Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : (body ?? undefined);

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
