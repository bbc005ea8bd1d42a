import type { Collections } from '../../../viewing/collections/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { ItemsReply } from '../../../contract/resources/library/catalogue.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  CollectionChanges,
  CollectionReply,
  CollectionsQuery,
  CollectionsReply,
  MemberParams,
  MemberQuery,
  MembersQuery,
  NewCollection,
} from '../../../contract/resources/library/collections.ts';

const tags = ['collections'];
const reading = { access: 'guest', holdsNoSecret: true } as const;
const owning = { access: 'user', writes: 'often' } as const;

/** Collections: those of the viewer, and automatic ones. */
export const collectionRoutes: Routes<{ readonly collections: Collections }> = async (
  app,
  { collections },
) => {
  app.post(
    '/api/collections',
    {
      config: owning,
      schema: {
        operationId: 'createCollection',
        summary: 'Make a collection; 409 when its distributedId is taken',
        tags,
        body: NewCollection,
        response: { 201: CollectionReply },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send({ collection: await collections.create(request.body, viewerOf(request)) }),
  );

  app.get(
    '/api/collections',
    {
      config: reading,
      schema: {
        operationId: 'listCollections',
        summary: 'List collections, by name',
        tags,
        querystring: CollectionsQuery,
        response: { 200: CollectionsReply },
      },
    },
    (request) => collections.list(viewerOf(request), request.query),
  );

  app.get(
    '/api/collections/:id',
    {
      config: reading,
      schema: {
        operationId: 'getCollection',
        summary: 'One collection',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        response: { 200: CollectionReply },
      },
    },
    async (request) => ({
      collection: await collections.get(request.params.id, viewerOf(request)),
    }),
  );

  app.patch(
    '/api/collections/:id',
    {
      config: owning,
      schema: {
        operationId: 'updateCollection',
        summary: 'Change a collection; an automatic one only as an admin',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: CollectionChanges,
        response: { 200: CollectionReply },
      },
    },
    async (request) => ({
      collection: await collections.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/collections/:id',
    {
      config: owning,
      schema: {
        operationId: 'deleteCollection',
        summary: 'Remove a collection; its items stay in their libraries',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await collections.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/collections/:id/items',
    {
      config: reading,
      schema: {
        operationId: 'listCollectionItems',
        summary: 'Items of a collection, in its own order or another one',
        tags,
        params: IdParams,
        querystring: MembersQuery,
        response: { 200: ItemsReply },
      },
    },
    (request) => collections.items(request.params.id, viewerOf(request), request.query),
  );

  app.put(
    '/api/collections/:id/items/:itemId',
    {
      config: owning,
      schema: {
        operationId: 'addCollectionItem',
        summary: 'Add an item to a collection, or move it in the manual order',
        tags,
        params: MemberParams,
        querystring: MemberQuery,
        response: { 200: CollectionReply },
      },
    },
    async (request) => {
      const { id, itemId } = request.params;
      const member = { itemId, position: request.query.position };
      return { collection: await collections.putItem(id, member, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/collections/:id/items/:itemId',
    {
      config: owning,
      schema: {
        operationId: 'removeCollectionItem',
        summary: 'Remove an item from a collection',
        tags,
        params: MemberParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id, itemId } = request.params;
      await collections.removeItem(id, itemId, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
