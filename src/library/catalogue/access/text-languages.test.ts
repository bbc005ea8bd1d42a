import { describe, expect, test } from 'vitest';
import { textLanguages } from './text-languages.ts';

describe('the languages of titles and summaries', () => {
  test.each([
    ['the exact tag, then its language', 'pt-BR', ['de', 'pt', 'pt-BR'], ['pt-BR', 'pt']],
    ['the language of a tag with a region', 'de-AT', ['en', 'de'], ['de']],
    ['nothing but what is stored, for the first language', 'de', ['de', 'en'], []],
    ['what is stored in the language of a region', 'de-AT', ['de', 'en'], []],
    ['the region before what is stored', 'de-AT', ['de', 'de-AT'], ['de-AT']],
    ['what is stored, where the first is the region', 'de-AT', ['de-AT', 'de'], []],
    ['nothing else for a language that the library lacks', 'fr', ['de', 'en'], []],
    ['nothing of a sister language', 'en-GB', ['de', 'en-US'], []],
    ['what is stored, without languages', 'de', [], []],
    ['what is stored, without a language of the viewer', undefined, ['de', 'en'], []],
  ])('are %s', (_, locale, library, languages) => {
    expect(textLanguages(locale, library)).toEqual(languages);
  });
});
