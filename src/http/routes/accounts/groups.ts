import type { Groups } from '../../../people/groups/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  GroupChanges,
  GroupReply,
  GroupsQuery,
  GroupsReply,
  NewGroup,
} from '../../../contract/resources/accounts/groups.ts';

const tags = ['groups'];
const params = IdParams;
const config = { access: 'admin' } as const;

/** Groups: named sets of libraries that any number of users may see. */
export const groupRoutes: Routes<{ readonly groups: Groups }> = async (app, { groups }) => {
  app.get(
    '/api/groups',
    {
      config,
      schema: {
        operationId: 'listGroups',
        summary: 'List groups, by name',
        tags,
        querystring: GroupsQuery,
        response: { 200: GroupsReply },
      },
    },
    (request) => groups.list(viewerOf(request), request.query),
  );

  app.post(
    '/api/groups',
    {
      config,
      schema: {
        operationId: 'createGroup',
        summary: 'Make a group',
        tags,
        body: NewGroup,
        response: { 201: GroupReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ group: await groups.create(request.body, viewerOf(request)) }),
  );

  app.get(
    '/api/groups/:id',
    {
      config,
      schema: {
        operationId: 'getGroup',
        summary: 'One group',
        tags,
        params,
        response: { 200: GroupReply },
      },
    },
    async (request) => ({ group: await groups.get(request.params.id, viewerOf(request)) }),
  );

  app.patch(
    '/api/groups/:id',
    {
      config,
      schema: {
        operationId: 'updateGroup',
        summary: 'Change a group; it takes effect for its users at once',
        tags,
        params,
        body: GroupChanges,
        response: { 200: GroupReply },
      },
    },
    async (request) => ({
      group: await groups.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/groups/:id',
    {
      config,
      schema: {
        operationId: 'deleteGroup',
        summary: 'Remove a group; 409 while a user or an open invite names it',
        tags,
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await groups.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
