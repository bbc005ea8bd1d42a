import { describe, expect, test } from 'vitest';
import { wantedLanguages } from './languages.ts';

const wanted = (library: unknown, form: unknown, last: string | null = 'en') =>
  wantedLanguages({
    library: library as readonly string[],
    config: { languages: form },
    last,
  });

describe('the languages that a catalogue is asked for', () => {
  test('are those of the library, then those of the form, then English, each once', () => {
    expect(wanted(['de', 'fr'], ['fr', 'it'])).toEqual(['de', 'fr', 'it', 'en']);
    expect(wanted(['en', 'de'], [])).toEqual(['en', 'de']);
    expect(wanted(undefined, [])).toEqual(['en']);
    expect(wanted([], [], null)).toEqual([]);
  });

  test('name the language after a region or a script, spelled as BCP 47 does', () => {
    expect(wanted(['PT-br', 'zh-hant-tw'], [])).toEqual(['pt-BR', 'pt', 'zh-Hant-TW', 'zh', 'en']);
  });

  test('are only tags, and few', () => {
    expect(wanted(['&key=1', 'd', 7, 'de fr', '../x'], 'de')).toEqual(['en']);
    const many = Array.from({ length: 26 }, (_, at) => `a${String.fromCharCode(97 + at)}`);
    expect(wanted(many, many).length).toBeLessThanOrEqual(21);
  });
});
