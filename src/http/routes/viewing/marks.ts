import type { Marks } from '../../../viewing/playback/index.ts';
import * as schema from '../../../contract/resources/viewing/marks.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'playback', access: 'user', writes: 'often' } as const;

/** Favourites and ratings of the viewer's profile. */
export const markRoutes = routes<{ readonly marks: Marks }>(shared, (route, { marks }) => {
  route('PUT /api/items/:id/favourite', {
    operation: 'addFavouriteItem',
    summary: 'Make an item a favourite of the profile',
    query: HiddenQuery,
    reply: schema.MarksReply,
    handler: async ({ params, viewer }) => ({
      marks: await marks.setFavourite(params.id, true, viewer),
    }),
  });

  route('DELETE /api/items/:id/favourite', {
    operation: 'removeFavouriteItem',
    summary: 'Remove an item from the favourites of the profile',
    query: HiddenQuery,
    handler: ({ params, viewer }) => marks.setFavourite(params.id, false, viewer),
  });

  route('PUT /api/items/:id/rating', {
    operation: 'setItemRating',
    summary: 'Rate an item for the profile; null removes the rating',
    query: HiddenQuery,
    body: schema.RatingBody,
    reply: schema.MarksReply,
    handler: async ({ params, body, viewer }) => ({
      marks: await marks.rate(params.id, body.value, viewer),
    }),
  });

  route('PUT /api/entities/:id/favourite', {
    operation: 'addFavouriteEntity',
    summary: 'Make an entity a favourite of the profile',
    query: HiddenQuery,
    reply: schema.EntityMarksReply,
    handler: async ({ params, viewer }) => ({
      marks: await marks.setFavouriteEntity(params.id, true, viewer),
    }),
  });

  route('PUT /api/entities/:id/rating', {
    operation: 'setEntityRating',
    summary: 'Rate an entity for the profile; null removes the rating',
    query: HiddenQuery,
    body: schema.RatingBody,
    reply: schema.EntityMarksReply,
    handler: async ({ params, body, viewer }) => ({
      marks: await marks.rateEntity(params.id, body.value, viewer),
    }),
  });

  route('DELETE /api/entities/:id/favourite', {
    operation: 'removeFavouriteEntity',
    summary: 'Remove an entity from the favourites of the profile',
    query: HiddenQuery,
    handler: ({ params, viewer }) => marks.setFavouriteEntity(params.id, false, viewer),
  });
});
