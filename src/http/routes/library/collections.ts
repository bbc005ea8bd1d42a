import type { Collections } from '../../../viewing/collections/index.ts';
import { ItemsReply } from '../../../contract/resources/library/catalogue.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/collections.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'collections', access: 'user' } as const;
const reading = { access: 'guest', holdsNoSecret: true } as const;

/** Collections: those of the viewer, and automatic ones. */
export const collectionRoutes = routes<{
  readonly collections: Collections;
}>(shared, (route, { collections }) => {
  route('POST /api/collections', {
    writes: 'often',
    operation: 'createCollection',
    summary: 'Make a collection; 409 when its distributedId is taken',
    body: schema.NewCollection,
    created: schema.CollectionReply,
    handler: async ({ body, viewer }) => ({ collection: await collections.create(body, viewer) }),
  });

  route('GET /api/collections', {
    ...reading,
    operation: 'listCollections',
    summary: 'List collections, by name',
    query: schema.CollectionsQuery,
    reply: schema.CollectionsReply,
    handler: ({ query, viewer }) => collections.list(viewer, query),
  });

  route('GET /api/collections/:id', {
    ...reading,
    operation: 'getCollection',
    summary: 'One collection',
    query: HiddenQuery,
    reply: schema.CollectionReply,
    handler: async ({ params, viewer }) => ({
      collection: await collections.get(params.id, viewer),
    }),
  });

  route('PATCH /api/collections/:id', {
    writes: 'often',
    operation: 'updateCollection',
    summary: 'Change a collection; an automatic one only as an admin',
    query: HiddenQuery,
    body: schema.CollectionChanges,
    reply: schema.CollectionReply,
    handler: async ({ params, body, viewer }) => ({
      collection: await collections.update(params.id, body, viewer),
    }),
  });

  route('DELETE /api/collections/:id', {
    writes: 'often',
    operation: 'deleteCollection',
    summary: 'Remove a collection; its items stay in their libraries',
    handler: ({ params, viewer }) => collections.remove(params.id, viewer),
  });

  route('GET /api/collections/:id/items', {
    ...reading,
    operation: 'listCollectionItems',
    summary: 'Items of a collection, in its own order or another one',
    query: schema.MembersQuery,
    reply: ItemsReply,
    handler: ({ params, query, viewer }) => collections.items(params.id, viewer, query),
  });

  route('PUT /api/collections/:id/items/:itemId', {
    writes: 'often',
    operation: 'addCollectionItem',
    summary: 'Add an item to a collection, or move it in the manual order',
    query: schema.MemberQuery,
    reply: schema.CollectionReply,
    handler: async ({ params: { id, itemId }, query: { position }, viewer }) => ({
      collection: await collections.putItem(id, { itemId, position }, viewer),
    }),
  });

  route('DELETE /api/collections/:id/items/:itemId', {
    writes: 'often',
    operation: 'removeCollectionItem',
    summary: 'Remove an item from a collection',
    handler: ({ params, viewer }) => collections.removeItem(params.id, params.itemId, viewer),
  });
});
