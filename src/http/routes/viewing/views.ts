import type { PluginViews } from '../../../plugins/admin/index.ts';
import * as schema from '../../../contract/resources/viewing/views.ts';
import { routes } from '../../route.ts';
import { sendRawJson } from '../../raw-json-reply.ts';

const shared = { tag: 'plugins', access: 'guest' } as const;

/** Views: user interface of plugins, and the actions of its buttons and forms. */
export const viewRoutes = routes<{ readonly views: PluginViews }>(shared, (route, { views }) => {
  route('GET /api/plugins/views/:slot', {
    operation: 'listViews',
    summary: 'The views of all plugins for a slot',
    params: schema.ViewParams,
    query: schema.ViewQuery,
    reply: schema.ViewReply,
    handler: ({ params, query, viewer }) => views.collect(viewer, params.slot, query.context),
  });

  route('POST /api/plugins/views/actions', {
    access: 'user',
    writes: 'often',
    operation: 'runViewAction',
    summary: 'Press a button or send a form of a view, with the context that the view had',
    body: schema.PressBody,
    reply: schema.PressReply,
    handler: async ({ body, viewer, reply }) =>
      sendRawJson(reply, 'result', await views.press(viewer, body)),
  });
});
