import type { Sessions, Users } from '../../../people/accounts/index.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { SessionsReply } from '../../../contract/resources/accounts/accounts.ts';
import * as schema from '../../../contract/resources/accounts/user-sessions.ts';
import { routes } from '../../route.ts';
import { shortReply } from '../../short-list.ts';

const shared = { tag: 'users', access: 'admin' } as const;

/** Sessions of users, for admins: where somebody is signed in, and how to end that. */
export const userSessionRoutes = routes<{
  readonly users: Pick<Users, 'get'>;
  readonly sessions: Pick<Sessions, 'listOf' | 'removeOf'>;
}>(shared, (route, { users, sessions }) => {
  route('GET /api/users/:id/sessions', {
    operation: 'listUserSessions',
    summary: 'Where a user is signed in, last used first',
    query: ShortListQuery,
    reply: SessionsReply,
    handler: async ({ params, query, viewer }) => {
      const { id: userId } = await users.get(params.id, viewer);
      return shortReply('sessions', await sessions.listOf(userId, viewer), query);
    },
  });

  route('DELETE /api/users/:id/sessions/:sessionId', {
    operation: 'endUserSession',
    summary: 'End a session of a user',
    params: schema.UserSessionParams,
    handler: ({ params, viewer }) =>
      sessions.removeOf({ userId: params.id, id: params.sessionId }, viewer),
  });
});
