import { expect, test } from 'vitest';
import { explained } from './explained-permissions.ts';

test('each of several values has a sentence of its own, in the language of the reader', () => {
  const asked = { hears: ['library', 'playback'], net: ['a.org', 'b.org'] } as const;
  const found = { asked, granted: null, reach: 'all', adds: null } as const;
  const show = () => ({ libraries: 'all' as const, withheld: [], places: null });

  const { sentences } = explained(found, { show }, 'de');

  expect(sentences.map(({ permission, values }) => [permission, values])).toEqual([
    [
      'hears',
      [
        { value: 'library', sentence: expect.stringMatching(/Bibliotheken/) },
        { value: 'playback', sentence: expect.stringMatching(/ansieht/) },
      ],
    ],
    ['net', undefined],
  ]);
});
