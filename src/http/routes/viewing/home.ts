import type { Home } from '../../../viewing/home/index.ts';
import * as schema from '../../../contract/resources/viewing/home.ts';
import { routes } from '../../route.ts';
import type { ResponseCache } from '../../response-cache.ts';

const shared = { tag: 'playback', access: 'guest', holdsNoSecret: true } as const;

/** The first page of a client, in one request. */
export const homeRoutes = routes<{
  readonly home: Home;
  readonly cache: ResponseCache;
}>(shared, (route, { home, cache }) => {
  route('GET /api/home', {
    operation: 'getHome',
    summary: 'The first page: what to continue, what is next, new, liked, and rows of plugins',
    query: schema.HomeQuery,
    reply: schema.HomeReply,
    handler: ({ query, viewer, request, reply }) => {
      const make = () => home.page(viewer, query.limit);
      if (home.asksPlugins()) {
        // What a plugin puts in its rows may be a secret, and depends on more than the database.
        request.routeConfig = { ...request.routeConfig, holdsNoSecret: false };
        return make();
      }
      return cache.send(reply, { viewer, question: query, make });
    },
  });
});
