import type { Entities, Items } from '../../../library/catalogue/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import type { ResponseCache } from '../../response-cache.ts';
import { ItemListReply } from '../../../contract/resources/library/catalogue.ts';
import { withoutLocale } from '../../../people/viewer/index.ts';
import { DetailQuery, IdParams } from '../../../contract/resources/schema-parts.ts';
import {
  EntitiesQuery,
  EntitiesReply,
  EntityChanges,
  EntityChildrenQuery,
  EntityChildrenReply,
  EntityItemsQuery,
  EntityLettersQuery,
  EntityLettersReply,
  EntityReply,
  EntitySplit,
  EntityUnion,
} from '../../../contract/resources/library/entities.ts';

const tags = ['entities'];
const reading = { access: 'guest', holdsNoSecret: true } as const;
/** An entity belongs to all libraries, so an admin of some libraries cannot change it. */
const editing = { access: 'admin' } as const;

/** Entities: people, genres, artists, albums, shows. */
export const entityRoutes: Routes<{
  readonly entities: Entities;
  readonly items: Pick<Items, 'ofEntity' | 'childrenOf'>;
  readonly cache: ResponseCache;
}> = async (app, { entities, items, cache }) => {
  app.get(
    '/api/entities',
    {
      config: reading,
      schema: {
        operationId: 'listEntities',
        summary: 'List entities of one type, with counts of what the viewer may see',
        tags,
        querystring: EntitiesQuery,
        response: { 200: EntitiesReply },
      },
    },
    (request) => entities.list(viewerOf(request), request.query),
  );

  app.get(
    '/api/entities/letters',
    {
      config: reading,
      schema: {
        operationId: 'getEntityLetters',
        summary: 'Letters of the list of entities by name',
        tags,
        querystring: EntityLettersQuery,
        response: { 200: EntityLettersReply },
      },
    },
    (request, reply) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const make = async () => ({ letters: await entities.letters(viewer, query) });
      return cache.send(reply, { viewer, question: query, make });
    },
  );

  app.get(
    '/api/entities/:id',
    {
      config: reading,
      schema: {
        operationId: 'getEntity',
        summary: 'One entity',
        tags,
        params: IdParams,
        querystring: DetailQuery,
        response: { 200: EntityReply },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const reader = request.query.texts === 'stored' ? withoutLocale(viewer) : viewer;
      return { entity: await entities.get(request.params.id, reader) };
    },
  );

  app.get(
    '/api/entities/:id/items',
    {
      config: reading,
      schema: {
        operationId: 'listEntityItems',
        summary:
          'Items of an entity in the order of seasons, discs or volumes, in all roles or in one',
        tags,
        params: IdParams,
        querystring: EntityItemsQuery,
        response: { 200: ItemListReply },
      },
    },
    (request) => items.ofEntity(request.params.id, viewerOf(request), request.query),
  );

  app.get(
    '/api/entities/:id/children',
    {
      config: reading,
      schema: {
        operationId: 'listEntityChildren',
        summary: 'Seasons of a show, albums of an artist, books of a series, in their order',
        tags,
        params: IdParams,
        querystring: EntityChildrenQuery,
        response: { 200: EntityChildrenReply },
      },
    },
    (request) => items.childrenOf(request.params.id, viewerOf(request), request.query),
  );

  app.patch(
    '/api/entities/:id',
    {
      config: editing,
      schema: {
        operationId: 'updateEntity',
        summary: 'Edit an entity; later scans keep the edits',
        tags,
        params: IdParams,
        body: EntityChanges,
        response: { 200: EntityReply },
      },
    },
    async (request) => ({
      entity: await entities.update(request.params.id, request.body, viewerOf(request)),
    }),
  );

  app.post(
    '/api/entities/:id/merge',
    {
      config: editing,
      schema: {
        operationId: 'mergeEntities',
        summary: 'Merge other entities into this one, also for later scans',
        tags,
        params: IdParams,
        body: EntityUnion,
        response: { 200: EntityReply },
      },
    },
    async (request) => ({
      entity: await entities.merge(request.params.id, request.body.ids, viewerOf(request)),
    }),
  );

  app.post(
    '/api/entities/:id/split',
    {
      config: editing,
      schema: {
        operationId: 'splitEntity',
        summary: 'Split items off an entity into a new one',
        tags,
        params: IdParams,
        body: EntitySplit,
        response: { 201: EntityReply },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const entity = await entities.split(params.id, body, viewerOf(request));
      return reply.code(201).send({ entity });
    },
  );
};
