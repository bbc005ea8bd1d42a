import type { PluginViews } from '../../../plugins/admin/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { sendRawJson } from '../../raw-json-reply.ts';
import {
  PressBody,
  PressReply,
  ViewParams,
  ViewQuery,
  ViewReply,
} from '../../../contract/resources/viewing/views.ts';

/** Views: user interface of plugins, and the actions of its buttons and forms. */
export const viewRoutes: Routes<{ readonly views: PluginViews }> = async (app, { views }) => {
  app.get(
    '/api/plugins/views/:slot',
    {
      config: { access: 'guest' },
      schema: {
        operationId: 'listViews',
        summary: 'The views of all plugins for a slot',
        tags: ['plugins'],
        params: ViewParams,
        querystring: ViewQuery,
        response: { 200: ViewReply },
      },
    },
    (request) => views.collect(viewerOf(request), request.params.slot, request.query.context),
  );

  app.post(
    '/api/plugins/views/actions',
    {
      config: { access: 'user', writes: 'often' },
      schema: {
        operationId: 'runViewAction',
        summary: 'Press a button or send a form of a view, with the context that the view had',
        tags: ['plugins'],
        body: PressBody,
        response: { 200: PressReply },
      },
    },
    async (request, reply) =>
      sendRawJson(reply, 'result', await views.press(viewerOf(request), request.body)),
  );
};
