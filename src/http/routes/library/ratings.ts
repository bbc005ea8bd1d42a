import { shortPage } from '../../short-list.ts';
import { limitText, ratingSystems } from '../../../people/ratings/index.ts';
import type { Routes } from '../../http-app.ts';
import { RatingSystemsReply } from '../../../contract/resources/library/ratings.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';

/** Rating systems: the values of a `maxRating`. */
export const ratingRoutes: Routes<object> = async (app) => {
  const shown = ratingSystems.map(({ levels, ...system }) => ({
    ...system,
    steps: levels.map(({ label, age }) => ({
      label,
      age,
      maxRating: limitText({ system: system.id, label }),
    })),
  }));

  app.get(
    '/api/rating-systems',
    {
      config: { access: 'guest', holdsNoSecret: true },
      schema: {
        operationId: 'listRatingSystems',
        summary: 'All rating systems with their steps',
        tags: ['profiles'],
        querystring: ShortListQuery,
        response: { 200: RatingSystemsReply },
      },
    },
    async (request) => {
      const list = shown;
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { ratingSystems: page, nextCursor };
    },
  );
};
