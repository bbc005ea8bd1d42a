import type { PluginViews } from '../../operations/index.ts';
import { personOf } from '../client-locale.ts';
import type { Routes } from '../http-app.ts';
import { ViewParams, ViewQuery, ViewReply } from './views.schema.ts';

/** Views: pieces of user interface that plugins add. */
export const viewRoutes: Routes<{ readonly views: PluginViews }> = async (app, { views }) => {
  app.get(
    '/api/plugins/views/:slot',
    {
      config: { access: 'guest' },
      schema: {
        summary: 'What all plugins add to a place of the user interface',
        tags: ['plugins'],
        params: ViewParams,
        querystring: ViewQuery,
        response: { 200: ViewReply },
      },
    },
    (request) => views.collect(personOf(request), request.params.slot, request.query.context),
  );
};
