import type { Search } from '../../../library/catalogue/search/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import type { ResponseCache } from '../../response-cache.ts';
import { SearchQuery, SearchReply } from '../../../contract/resources/library/search.ts';

/**
 * The index of a search plugin may lie outside this database, so no write says that it has changed.
 * So a cached answer is used only for a short time.
 */
const maxAgeMs = 2000;

/** Search over items and entities. */
export const searchRoutes: Routes<{
  readonly search: Search;
  readonly cache: ResponseCache;
}> = async (app, { search, cache }) => {
  app.get(
    '/api/search',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'search',
        summary: 'Search',
        tags: ['search'],
        querystring: SearchQuery,
        response: { 200: SearchReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const make = () =>
        query.fields === 'tile' ? search.tiles(viewer, query) : search.query(viewer, query);
      return cache.send(reply, { viewer, question: query, make, maxAgeMs });
    },
  );
};
