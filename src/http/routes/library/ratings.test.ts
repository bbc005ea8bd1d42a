import { expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { parseRatingLimit } from '../../../people/ratings/index.ts';
import { mount } from '../../http-app.ts';
import { ratingRoutes } from './ratings.ts';

test('GET /api/rating-systems lists steps that can be used as a maxRating', async () => {
  const app = await createTestApp([mount(ratingRoutes, {})]);
  onTestFinished(() => app.close());

  const reply = await app.inject({ url: '/api/rating-systems', headers: bearer('guest') });

  const { ratingSystems } = reply.json<{
    ratingSystems: { id: string; steps: { label: string; maxRating: string }[] }[];
  }>();
  expect(ratingSystems.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['MPAA', 'TV', 'BBFC', 'FSK', 'PEGI', 'ESRB', 'ACB', 'CNC', 'Eirin']),
  );
  for (const { id, steps } of ratingSystems)
    for (const { label, maxRating } of steps)
      expect(parseRatingLimit(maxRating)).toEqual({ system: id, label });
});
