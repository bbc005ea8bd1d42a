import type { Groups } from '../../../people/groups/index.ts';
import * as schema from '../../../contract/resources/accounts/groups.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'groups', access: 'admin' } as const;

/** Groups: named sets of libraries that any number of users may see. */
export const groupRoutes = routes<{ readonly groups: Groups }>(shared, (route, { groups }) => {
  route('GET /api/groups', {
    operation: 'listGroups',
    summary: 'List groups, by name',
    query: schema.GroupsQuery,
    reply: schema.GroupsReply,
    handler: ({ query, viewer }) => groups.list(viewer, query),
  });

  route('POST /api/groups', {
    operation: 'createGroup',
    summary: 'Make a group',
    body: schema.NewGroup,
    created: schema.GroupReply,
    handler: async ({ body, viewer }) => ({ group: await groups.create(body, viewer) }),
  });

  route('GET /api/groups/:id', {
    operation: 'getGroup',
    summary: 'One group',
    reply: schema.GroupReply,
    handler: async ({ params, viewer }) => ({ group: await groups.get(params.id, viewer) }),
  });

  route('PATCH /api/groups/:id', {
    operation: 'updateGroup',
    summary: 'Change a group; it takes effect for its users at once',
    body: schema.GroupChanges,
    reply: schema.GroupReply,
    handler: async ({ params, body, viewer }) => ({
      group: await groups.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/groups/:id', {
    operation: 'deleteGroup',
    summary: 'Remove a group; 409 while a user or an open invite names it',
    handler: ({ params, viewer }) => groups.remove(params.id, viewer),
  });
});
