import type { Users } from '../../../people/accounts/index.ts';
import { viewerOf } from '../../access.ts';
import { OneUserReply } from '../../../contract/resources/accounts/accounts.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  NewUserBody,
  PasswordBody,
  UserChangesBody,
  UsersQuery,
  UsersReply,
} from '../../../contract/resources/accounts/users.ts';

const tags = ['users'];
const config = { access: 'admin' } as const;

/** Users: who may sign in, and with which role. */
export const userRoutes: Routes<{ readonly users: Users }> = async (app, { users }) => {
  app.get(
    '/api/users',
    {
      config,
      schema: {
        operationId: 'listUsers',
        summary: 'List users by name',
        tags,
        querystring: UsersQuery,
        response: { 200: UsersReply },
      },
    },
    (request) => users.list(viewerOf(request), request.query),
  );

  app.post(
    '/api/users',
    {
      config,
      schema: {
        operationId: 'createUser',
        summary: 'Make a user, with a default profile',
        tags,
        body: NewUserBody,
        response: { 201: OneUserReply },
      },
    },
    async (request, reply) => {
      const { role = 'user', ...fields } = request.body;
      return reply.code(201).send({
        user: await users.create({ ...fields, role }, viewerOf(request)),
      });
    },
  );

  app.get(
    '/api/users/:id',
    {
      config,
      schema: {
        operationId: 'getUser',
        summary: 'One user',
        tags,
        params: IdParams,
        response: { 200: OneUserReply },
      },
    },
    async (request) => ({ user: await users.get(request.params.id, viewerOf(request)) }),
  );

  app.patch(
    '/api/users/:id',
    {
      config,
      schema: {
        operationId: 'updateUser',
        summary: 'Change or disable a user',
        tags,
        params: IdParams,
        body: UserChangesBody,
        response: { 200: OneUserReply },
      },
    },
    async (request) => ({
      user: await users.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/users/:id',
    {
      config,
      schema: {
        operationId: 'deleteUser',
        summary: 'Remove a user with all their data',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await users.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/users/:id/password',
    {
      config,
      schema: {
        operationId: 'setUserPassword',
        summary: 'Give a user a new password, which ends their sessions',
        tags,
        params: IdParams,
        body: PasswordBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { password, endApiKeys = false } = request.body;
      await users.setPassword(request.params.id, { password, endApiKeys }, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
