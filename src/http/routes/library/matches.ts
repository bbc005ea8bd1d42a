import { Readable } from 'node:stream';
import type { Matching } from '../../../library/matching/index.ts';
import { contentHeaders } from '../../../viewing/streaming/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/matches.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'items', access: 'admin', allowsLibraryKeys: true } as const;

/** Pictures of catalogues rarely change. */
const pictureHeaders = { 'cache-control': 'private, max-age=3600' };

/** Matches: the entry of a catalogue that an item is. */
export const matchRoutes = routes<{
  readonly matching: Matching;
}>(shared, (route, { matching }) => {
  route('GET /api/matches/pending', {
    holdsNoSecret: true,
    operation: 'listPendingMatches',
    summary: 'List items of which no indexer is sure what they are',
    query: schema.PendingMatchesQuery,
    reply: schema.PendingMatchesReply,
    handler: ({ query, viewer }) => matching.pending(viewer, query),
  });

  route('GET /api/items/:id/matches/picture', {
    holdsNoSecret: true,
    exposeHeadRoute: false,
    operation: 'getCandidatePicture',
    summary: 'The picture of a candidate for an item',
    query: schema.CandidatePictureQuery,
    reply: schema.CandidatePicture,
    handler: async ({ params, query, viewer, reply }) => {
      const { id } = params;
      const { mimeType, bytes } = await matching.picture(id, viewer, query);
      const headers = { ...contentHeaders(id, mimeType), ...pictureHeaders };
      return reply.headers(headers).send(Readable.from([bytes]));
    },
  });

  route('GET /api/items/:id/matches', {
    holdsNoSecret: true,
    operation: 'findItemMatches',
    summary: 'Ask the indexers for candidates for an item',
    query: schema.MatchesQuery,
    reply: schema.MatchesReply,
    handler: ({ params, query, viewer }) => matching.search(params.id, viewer, query),
  });

  route('GET /api/items/:id/match', {
    holdsNoSecret: true,
    operation: 'getItemMatch',
    summary: 'The matches of an item',
    query: HiddenQuery,
    reply: schema.MatchReply,
    handler: ({ params, viewer }) => matching.get(params.id, viewer),
  });

  route('PUT /api/items/:id/match', {
    operation: 'setItemMatch',
    summary:
      'Choose the match of an item and of all of its show or album; the job ingests them again',
    query: HiddenQuery,
    body: schema.MatchChoice,
    reply: schema.MatchedReply,
    handler: ({ params, body, viewer }) => matching.choose(params.id, viewer, body),
  });

  route('DELETE /api/items/:id/match', {
    operation: 'deleteItemMatch',
    summary: 'Reject all matches of an item, its show or its album until a person chooses one',
    query: HiddenQuery,
    handler: ({ params, viewer }) => matching.unmatch(params.id, viewer),
  });
});
