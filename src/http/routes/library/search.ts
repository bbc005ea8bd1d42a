import type { Search } from '../../../library/catalogue/search/index.ts';
import * as schema from '../../../contract/resources/library/search.ts';
import { routes } from '../../route.ts';
import type { ResponseCache } from '../../response-cache.ts';

const shared = { tag: 'search', access: 'guest', holdsNoSecret: true } as const;

/**
 * The index of a search plugin may lie outside this database, so no write says that it has changed.
 * So a cached answer is used only for a short time.
 */
const maxAgeMs = 2000;

/** Search over items and entities. */
export const searchRoutes = routes<{
  readonly search: Search;
  readonly cache: ResponseCache;
}>(shared, (route, { search, cache }) => {
  route('GET /api/search', {
    operation: 'search',
    summary: 'Search',
    query: schema.SearchQuery,
    headers: schema.SearchHeaders,
    reply: schema.SearchReply,
    handler: async ({ query, headers, viewer, reply }) => {
      const change = headers[schema.changeHeader];
      if (change !== undefined) await search.reach(Number(change));
      const make = () =>
        query.fields === 'tile' ? search.tiles(viewer, query) : search.query(viewer, query);
      return cache.send(reply, { viewer, question: query, make, maxAgeMs });
    },
  });
});
