import type { Home } from '../../../viewing/home/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import type { ResponseCache } from '../../response-cache.ts';
import { HomeQuery, HomeReply } from '../../../contract/resources/viewing/home.ts';

/** The first page of a client, in one request. */
export const homeRoutes: Routes<{ readonly home: Home; readonly cache: ResponseCache }> = async (
  app,
  { home, cache },
) => {
  app.get(
    '/api/home',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'getHome',
        summary: 'The first page: what to continue, what is next, new, liked, and rows of plugins',
        tags: ['playback'],
        querystring: HomeQuery,
        response: { 200: HomeReply },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const viewer = viewerOf(request);
      const make = () => home.page(viewer, query.limit);
      if (home.asksPlugins()) {
        // What a plugin puts in its rows may be a secret, and depends on more than the database.
        request.routeConfig = { ...request.routeConfig, holdsNoSecret: false };
        return make();
      }
      return cache.send(reply, { viewer, question: query, make });
    },
  );
};
