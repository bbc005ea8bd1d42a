import { expect, test } from 'vitest';
import { mentionsOf } from './entity-mention.ts';

const known = { name: 'Ann', source: 'x', ids: { imdb: { id: 'nm1' } } };

test.each([
  ['without a status is pending', known, 'pending'],
  ['is what its source says', { ...known, status: 'complete' }, 'complete'],
  ['of an indexer that does not say is known by its id', { ...known, status: '' }, 'complete'],
])('an entity %s', (_, entity, status) => {
  expect(mentionsOf({ actor: [entity] }, {}, null)).toMatchObject([{ status }]);
});
