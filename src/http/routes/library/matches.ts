import { Readable } from 'node:stream';
import type { Matching } from '../../../library/matching/index.ts';
import { contentHeaders } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  MatchChoice,
  MatchedReply,
  MatchesQuery,
  MatchesReply,
  MatchReply,
  CandidatePicture,
  CandidatePictureQuery,
  PendingMatchesQuery,
  PendingMatchesReply,
} from '../../../contract/resources/library/matches.ts';

const tags = ['items'];
const config = { access: 'admin', allowsLibraryKeys: true } as const;
const params = IdParams;

/** Pictures of catalogues rarely change. */
const pictureHeaders = { 'cache-control': 'private, max-age=3600' };

/** Matches: the entry of a catalogue that an item is. */
export const matchRoutes: Routes<{ readonly matching: Matching }> = async (app, { matching }) => {
  app.get(
    '/api/matches/pending',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'listPendingMatches',
        summary: 'List items of which no indexer is sure what they are',
        tags,
        querystring: PendingMatchesQuery,
        response: { 200: PendingMatchesReply },
      },
    },
    (request) => matching.pending(viewerOf(request), request.query),
  );

  app.get(
    '/api/items/:id/matches/picture',
    {
      config: { ...config, holdsNoSecret: true },
      exposeHeadRoute: false,
      schema: {
        operationId: 'getCandidatePicture',
        summary: 'The picture of a candidate for an item',
        tags,
        params,
        querystring: CandidatePictureQuery,
        response: { 200: CandidatePicture },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { mimeType, bytes } = await matching.picture(id, viewerOf(request), request.query);
      const headers = { ...contentHeaders(id, mimeType), ...pictureHeaders };
      return reply.headers(headers).send(Readable.from([bytes]));
    },
  );

  app.get(
    '/api/items/:id/matches',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'findItemMatches',
        summary: 'Ask the indexers for candidates for an item',
        tags,
        params,
        querystring: MatchesQuery,
        response: { 200: MatchesReply },
      },
    },
    (request) => matching.search(request.params.id, viewerOf(request), request.query),
  );

  app.get(
    '/api/items/:id/match',
    {
      config: { ...config, holdsNoSecret: true },
      schema: {
        operationId: 'getItemMatch',
        summary: 'The matches of an item',
        tags,
        params,
        querystring: HiddenQuery,
        response: { 200: MatchReply },
      },
    },
    (request) => matching.get(request.params.id, viewerOf(request)),
  );

  app.put(
    '/api/items/:id/match',
    {
      config,
      schema: {
        operationId: 'setItemMatch',
        summary:
          'Choose the match of an item and of all of its show or album; the job ingests them again',
        tags,
        params,
        querystring: HiddenQuery,
        body: MatchChoice,
        response: { 200: MatchedReply },
      },
    },
    (request) => matching.choose(request.params.id, viewerOf(request), request.body),
  );

  app.delete(
    '/api/items/:id/match',
    {
      config,
      schema: {
        operationId: 'deleteItemMatch',
        summary: 'Reject all matches of an item, its show or its album until a person chooses one',
        tags,
        params,
        querystring: HiddenQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await matching.unmatch(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
