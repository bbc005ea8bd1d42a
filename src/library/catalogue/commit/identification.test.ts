import { describe, expect, test } from 'vitest';
import { parseIdentifications, textsIn } from './identification.ts';

const textsOf = (texts: unknown) => {
  const [found] = parseIdentifications({ results: [{ title: 'Heat', texts }] }, 1);
  return found?.texts;
};

describe('the texts of an answer', () => {
  test('are titles and summaries by language, in the spelling of BCP 47', () => {
    const said = { 'DE-at': { title: 'Hitze' }, fr: { overview: 'Un voleur.', other: 1 } };

    expect(textsOf(said)).toEqual({
      'de-AT': { title: 'Hitze' },
      fr: { overview: 'Un voleur.' },
    });
  });

  test.each([
    ['a list', ['de']],
    ['a text', 'de'],
    ['tags that are none', { '': {}, __proto__x: { title: 'a' }, 'not a tag': { title: 'a' } }],
    ['texts of other types', { de: { title: 7, overview: ['a'] }, fr: 'Chaleur', it: null }],
    ['empty texts', { de: { title: ' ', overview: '' } }],
    ['a title that is too long', { de: { title: 'x'.repeat(1001) } }],
    ['a summary that is too long', { de: { overview: 'x'.repeat(65_537) } }],
    [
      'summaries that are too long together',
      { de: { overview: 'x'.repeat(40_000) }, fr: { overview: 'x'.repeat(40_000) } },
    ],
  ])('are left out where they are %s; the rest of the answer stays', (_, said) => {
    expect(textsOf(said)).toBeUndefined();
    expect(parseIdentifications({ results: [{ title: 'Heat', texts: said }] }, 1)).toEqual([
      { title: 'Heat', metadata: {} },
    ]);
  });

  test('are of ten languages at most, and of those of the library', () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`a${String.fromCharCode(97 + at)}`, { title: 'x' }]),
    );
    const answer = { title: 'Heat', metadata: {}, texts: { de: { title: 'Hitze' }, fr: {} } };

    expect(Object.keys(textsOf(many) ?? {})).toHaveLength(10);
    expect(textsIn(answer, ['en', 'DE'])).toEqual({
      title: 'Heat',
      metadata: {},
      texts: { de: { title: 'Hitze' } },
    });
    expect(textsIn(answer, ['en'])).toEqual({ title: 'Heat', metadata: {} });
  });
});
