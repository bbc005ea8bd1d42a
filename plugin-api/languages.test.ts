import { describe, expect, test } from 'vitest';
import { languageForms, languageRows } from './language-table.ts';
import { findLanguage, findLanguageForm, languageOfCode, toLanguageTag } from './languages.ts';

describe('the table of languages', () => {
  test('has tags in the spelling of BCP 47', () => {
    for (const [tag] of languageRows) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    for (const [, , tag] of languageForms) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
  });

  test('names at least 80 languages, in English and in themselves', () => {
    const languages = languageRows.filter(([tag]) => !tag.includes('-'));
    const names = new Intl.DisplayNames('en', { type: 'language' });

    expect(languages.length).toBeGreaterThanOrEqual(80);
    for (const [tag, , words] of languages) {
      const english = (names.of(tag) ?? '').toLowerCase().replace(/ \(.*\)$/, '');
      expect([tag, findLanguage(english) ?? words]).toEqual([tag, expect.stringMatching(tag)]);
    }
  });

  test('gives each code and name to one language', () => {
    const words = languageRows.flatMap(([, codes, names]) => [
      ...codes.split(' ').filter(Boolean),
      ...names.split(', '),
    ]);

    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });

  test('is written in lower case and composed', () => {
    for (const [, codes, names] of languageRows) {
      expect(`${codes} ${names}`).toBe(`${codes} ${names}`.toLowerCase().normalize('NFC'));
    }
  });
});

test.each([
  ['en', 'en'],
  ['ENG', 'en'],
  ['English', 'en'],
  ['pt_br', 'pt-BR'],
  ['por-BR', 'pt-BR'],
  ['zh-hant', 'zh-Hant'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['zho-Hans', 'zh-Hans'],
  ['es-419', 'es-419'],
  ['ger', 'de'],
  ['de-x-private', 'de'],
  ['Brazilian Portuguese', 'pt-BR'],
  ['Deutsch', 'de'],
  ['', null],
  ['und', null],
  ['xx', null],
  ['no language', null],
])('%j is the language %s', (written, tag) => {
  expect(toLanguageTag(written)).toBe(tag);
});

test('a word beside a language names its form', () => {
  expect(findLanguageForm('canadian', 'fr')).toBe('fr-CA');
  expect(findLanguageForm('canadian', 'de')).toBeNull();
});

test.each([
  ['ger', 'de'],
  ['de-AT', 'de-AT'],
  ['zh_hant', 'zh-Hant'],
  ['iw', 'he'],
  ['jp', 'ja'],
  ['sc', 'sc'],
  ['frc', 'frc'],
  ['tlh', 'tlh'],
  ['English', 'en'],
  ['Brazilian Portuguese', 'pt-BR'],
  ['und', null],
  ['zxx', null],
  ['', null],
  ['not a language', null],
  ['e'.repeat(5000), null],
])('the code %j inside media is the language %s', (written, tag) => {
  expect(languageOfCode(written)).toBe(tag);
});
