import type { Users } from '../../../people/accounts/index.ts';
import { OneUserReply } from '../../../contract/resources/accounts/accounts.ts';
import * as schema from '../../../contract/resources/accounts/users.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'users', access: 'admin' } as const;

/** Users: who may sign in, and with which role. */
export const userRoutes = routes<{ readonly users: Users }>(shared, (route, { users }) => {
  route('GET /api/users', {
    operation: 'listUsers',
    summary: 'List users by name',
    query: schema.UsersQuery,
    reply: schema.UsersReply,
    handler: ({ query, viewer }) => users.list(viewer, query),
  });

  route('POST /api/users', {
    operation: 'createUser',
    summary: 'Make a user, with a default profile',
    body: schema.NewUserBody,
    created: OneUserReply,
    handler: async ({ body, viewer }) => {
      const { role = 'user', ...fields } = body;
      return { user: await users.create({ ...fields, role }, viewer) };
    },
  });

  route('GET /api/users/:id', {
    operation: 'getUser',
    summary: 'One user',
    reply: OneUserReply,
    handler: async ({ params, viewer }) => ({ user: await users.get(params.id, viewer) }),
  });

  route('PATCH /api/users/:id', {
    operation: 'updateUser',
    summary: 'Change or disable a user',
    body: schema.UserChangesBody,
    reply: OneUserReply,
    handler: async ({ params, body, viewer }) => ({
      user: await users.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/users/:id', {
    operation: 'deleteUser',
    summary: 'Remove a user with all their data',
    handler: ({ params, viewer }) => users.remove(params.id, viewer),
  });

  route('POST /api/users/:id/password', {
    operation: 'setUserPassword',
    summary: 'Give a user a new password, which ends their sessions',
    body: schema.PasswordBody,
    handler: async ({ params, body, viewer }) => {
      const { password, endApiKeys = false } = body;
      await users.setPassword(params.id, { password, endApiKeys }, viewer);
    },
  });
});
