import { expect, test } from 'vitest';
import { inLanguageOf } from './reader-language.ts';

test.each([
  ['de', 'Wort'],
  ['de-AT', 'Wort'],
  ['DE', 'Wort'],
  ['den', 'word'],
  ['fr', 'word'],
  [null, 'word'],
])('a reader of %s gets "%s"', (locale, word) => {
  expect(inLanguageOf(locale, { english: 'word', german: 'Wort' })).toBe(word);
});
