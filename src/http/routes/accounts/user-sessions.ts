import { shortPage } from '../../short-list.ts';
import type { Sessions, Users } from '../../../people/accounts/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { SessionsReply } from '../../../contract/resources/accounts/accounts.ts';
import { UserSessionParams } from '../../../contract/resources/accounts/user-sessions.ts';

const tags = ['users'];
const config = { access: 'admin' } as const;

/** Sessions of users, for admins: where somebody is signed in, and how to end that. */
export const userSessionRoutes: Routes<{
  readonly users: Pick<Users, 'get'>;
  readonly sessions: Pick<Sessions, 'listOf' | 'removeOf'>;
}> = async (app, { users, sessions }) => {
  app.get(
    '/api/users/:id/sessions',
    {
      config,
      schema: {
        operationId: 'listUserSessions',
        summary: 'Where a user is signed in, last used first',
        tags,
        params: IdParams,
        querystring: ShortListQuery,
        response: { 200: SessionsReply },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const { id: userId } = await users.get(request.params.id, viewer);
      const list = await sessions.listOf(userId, viewer);
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { sessions: page, nextCursor };
    },
  );

  app.delete(
    '/api/users/:id/sessions/:sessionId',
    {
      config,
      schema: {
        operationId: 'endUserSession',
        summary: 'End a session of a user',
        tags,
        params: UserSessionParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id: userId, sessionId: id } = request.params;
      await sessions.removeOf({ userId, id }, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
