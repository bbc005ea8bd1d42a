import { limitText, ratingSystems } from '../../../people/ratings/index.ts';
import * as schema from '../../../contract/resources/library/ratings.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import { shortReply } from '../../short-list.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'profiles', access: 'guest', holdsNoSecret: true } as const;

/** Rating systems: the values of a `maxRating`. */
export const ratingRoutes = routes<object>(shared, (route) => {
  const shown = ratingSystems.map(({ levels, ...system }) => ({
    ...system,
    steps: levels.map(({ label, age }) => ({
      label,
      age,
      maxRating: limitText({ system: system.id, label }),
    })),
  }));

  route('GET /api/rating-systems', {
    operation: 'listRatingSystems',
    summary: 'All rating systems with their steps',
    query: ShortListQuery,
    reply: schema.RatingSystemsReply,
    handler: ({ query }) => shortReply('ratingSystems', shown, query),
  });
});
