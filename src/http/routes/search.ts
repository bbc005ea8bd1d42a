import type { Search } from '../../library/index.ts';
import { viewerOf } from '../access.ts';
import type { Routes } from '../http-app.ts';
import { SearchQuery, SearchReply } from './search.schema.ts';

/** Search over items and entities. */
export const searchRoutes: Routes<{ readonly search: Search }> = async (app, { search }) => {
  app.get(
    '/api/search',
    {
      config: { access: 'guest' },
      schema: {
        summary: 'Search',
        tags: ['search'],
        querystring: SearchQuery,
        response: { 200: SearchReply },
      },
    },
    (request) => search.query(viewerOf(request), request.query),
  );
};
