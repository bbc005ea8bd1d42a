import type { Marks } from '../../../viewing/playback/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  EntityMarksReply,
  MarksReply,
  RatingBody,
} from '../../../contract/resources/viewing/marks.ts';

const keeping = { access: 'user', writes: 'often' } as const;
const ofOne = { params: IdParams, querystring: HiddenQuery };
const tags = ['playback'];

/** Favourites and ratings of the viewer's profile. */
export const markRoutes: Routes<{ readonly marks: Marks }> = async (app, { marks }) => {
  app.put(
    '/api/items/:id/favourite',
    {
      config: keeping,
      schema: {
        operationId: 'addFavouriteItem',
        summary: 'Make an item a favourite of the profile',
        tags,
        ...ofOne,
        response: { 200: MarksReply },
      },
    },
    async (request) => ({
      marks: await marks.setFavourite(request.params.id, true, viewerOf(request)),
    }),
  );

  app.delete(
    '/api/items/:id/favourite',
    {
      config: keeping,
      schema: {
        operationId: 'removeFavouriteItem',
        summary: 'Remove an item from the favourites of the profile',
        tags,
        ...ofOne,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await marks.setFavourite(request.params.id, false, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.put(
    '/api/items/:id/rating',
    {
      config: keeping,
      schema: {
        operationId: 'setItemRating',
        summary: 'Rate an item for the profile; null removes the rating',
        tags,
        ...ofOne,
        body: RatingBody,
        response: { 200: MarksReply },
      },
    },
    async (request) => ({
      marks: await marks.rate(request.params.id, request.body.value, viewerOf(request)),
    }),
  );

  app.put(
    '/api/entities/:id/favourite',
    {
      config: keeping,
      schema: {
        operationId: 'addFavouriteEntity',
        summary: 'Make an entity a favourite of the profile',
        tags,
        ...ofOne,
        response: { 200: EntityMarksReply },
      },
    },
    async (request) => {
      await marks.setFavouriteEntity(request.params.id, true, viewerOf(request));
      return { marks: { favourite: true } };
    },
  );

  app.delete(
    '/api/entities/:id/favourite',
    {
      config: keeping,
      schema: {
        operationId: 'removeFavouriteEntity',
        summary: 'Remove an entity from the favourites of the profile',
        tags,
        ...ofOne,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await marks.setFavouriteEntity(request.params.id, false, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
