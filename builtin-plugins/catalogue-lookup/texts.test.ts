import { describe, expect, test } from 'vitest';
import { textsIn } from './texts.ts';

const known: Readonly<Record<string, { title?: unknown; overview?: unknown }>> = {
  de: { title: ' Die Laterne ', overview: 'Ein Licht.' },
  fr: { title: '', overview: 7 },
  'pt-BR': { overview: 'Uma luz.' },
};
const inLanguage = (tag: string) => known[tag] ?? {};

describe('the texts of an answer', () => {
  test('are those that the catalogue has in the languages of the library', () => {
    expect(textsIn(['de', 'fr', 'pt-BR', 'it'], inLanguage)).toEqual({
      texts: {
        de: { title: 'Die Laterne', overview: 'Ein Licht.' },
        'pt-BR': { overview: 'Uma luz.' },
      },
    });
  });

  test('are left out where a library has one language, and where the catalogue has none', () => {
    expect(textsIn(['de'], inLanguage)).toEqual({});
    expect(textsIn(['it', 'fr'], inLanguage)).toEqual({});
  });
});
