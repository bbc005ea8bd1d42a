import { expect, test } from 'vitest';
import type { Narrowed } from '../../../kernel/index.ts';
import { intersectScopes } from './intersect-scopes.ts';

const films = (...folders: readonly string[]) => ({
  id: 'films',
  ...(folders.length > 0 && { folders: folders.map((one) => `file:///media/${one}`) }),
});
const shows = { id: 'shows' };

test.each<[string, Narrowed, Narrowed, Narrowed]>([
  ['a library of both', [films(), shows], [films()], [films()]],
  ['no library of one alone', [films()], [shows], []],
  ['the folders where one has all of it', [films()], [films('kids')], [films('kids')]],
  ['the inner folder', [films('kids')], [films('kids/small', 'old')], [films('kids/small')]],
  ['no folder with a name that begins alike', [films('kids')], [films('kids2')], []],
  ['a folder of both once', [films('kids', 'old')], [films('kids')], [films('kids')]],
])('both may touch %s', (_what, one, other, both) => {
  expect(intersectScopes(one, other)).toEqual(both);
  expect(intersectScopes(other, one)).toEqual(both);
});
