import type { Entities, Items } from '../../../library/catalogue/index.ts';
import { ItemListReply } from '../../../contract/resources/library/catalogue.ts';
import { withoutLocale } from '../../../people/viewer/index.ts';
import { DetailQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/entities.ts';
import { routes } from '../../route.ts';
import type { ResponseCache } from '../../response-cache.ts';

const shared = { tag: 'entities', access: 'guest' } as const;
/** An entity belongs to all libraries, so an admin of some libraries cannot change it. */
const editing = { access: 'admin' } as const;

/** Entities: people, genres, artists, albums, shows. */
export const entityRoutes = routes<{
  readonly entities: Entities;
  readonly items: Pick<Items, 'ofEntity' | 'childrenOf'>;
  readonly cache: ResponseCache;
}>(shared, (route, { entities, items, cache }) => {
  route('GET /api/entities', {
    holdsNoSecret: true,
    operation: 'listEntities',
    summary: 'List entities of one type, with counts of what the viewer may see',
    query: schema.EntitiesQuery,
    reply: schema.EntitiesReply,
    handler: ({ query, viewer }) => entities.list(viewer, query),
  });

  route('GET /api/entities/letters', {
    holdsNoSecret: true,
    operation: 'getEntityLetters',
    summary: 'Letters of the list of entities by name',
    query: schema.EntityLettersQuery,
    reply: schema.EntityLettersReply,
    handler: ({ query, viewer, reply }) => {
      const make = async () => ({ letters: await entities.letters(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  });

  route('GET /api/entities/:id', {
    holdsNoSecret: true,
    operation: 'getEntity',
    summary: 'One entity',
    query: DetailQuery,
    reply: schema.EntityReply,
    handler: async ({ params, query, viewer }) => {
      const reader = query.texts === 'stored' ? withoutLocale(viewer) : viewer;
      return { entity: await entities.get(params.id, reader) };
    },
  });

  route('GET /api/entities/:id/items', {
    holdsNoSecret: true,
    operation: 'listEntityItems',
    summary: 'Items of an entity in the order of seasons, discs or volumes, in all roles or in one',
    query: schema.EntityItemsQuery,
    reply: ItemListReply,
    handler: ({ params, query, viewer }) => items.ofEntity(params.id, viewer, query),
  });

  route('GET /api/entities/:id/children', {
    holdsNoSecret: true,
    operation: 'listEntityChildren',
    summary: 'Seasons of a show, albums of an artist, books of a series, in their order',
    query: schema.EntityChildrenQuery,
    reply: schema.EntityChildrenReply,
    handler: ({ params, query, viewer }) => items.childrenOf(params.id, viewer, query),
  });

  route('PATCH /api/entities/:id', {
    ...editing,
    operation: 'updateEntity',
    summary: 'Edit an entity; later scans keep the edits',
    body: schema.EntityChanges,
    reply: schema.EntityReply,
    handler: async ({ params, body, viewer }) => ({
      entity: await entities.update(params.id, body, viewer),
    }),
  });

  route('POST /api/entities/:id/merge', {
    ...editing,
    operation: 'mergeEntities',
    summary: 'Merge other entities into this one, also for later scans',
    body: schema.EntityUnion,
    reply: schema.EntityReply,
    handler: async ({ params, body, viewer }) => ({
      entity: await entities.merge(params.id, body.ids, viewer),
    }),
  });

  route('POST /api/entities/:id/split', {
    ...editing,
    operation: 'splitEntity',
    summary: 'Split items off an entity into a new one',
    body: schema.EntitySplit,
    created: schema.EntityReply,
    handler: async ({ params, body, viewer }) => ({
      entity: await entities.split(params.id, body, viewer),
    }),
  });
});
