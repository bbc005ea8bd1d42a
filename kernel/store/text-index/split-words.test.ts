import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expressionText, matchExpression, type QueryTerm } from './match-expression.ts';
import { wordsOf } from './split-words.ts';

describe('wordsOf', () => {
  test.each([
    ['Amélie à l’ombre', 'amelie a l ombre'],
    ['AMELIE A L OMBRE'.toLowerCase(), 'amelie a l ombre'],
    ['Élan'.normalize('NFD'), 'elan'],
    ['Smørrebrød, Łódź & Straße', 'smorrebrod lodz strasse'],
    ['ÆON FLÖD: Þögnin', 'aeon flod thognin'],
    ['İstanbul', 'istanbul'],
    ['Ｆｕｌｌｗｉｄｔｈ ﬁ ⅷ', 'fullwidth fi viii'],
    ['Μικρός ΓΈΦΥΡΑΣ', 'μικροσ γεφυρασ'],
    ['Ёлка', 'елка'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['दूसरा बगीचा', 'दूसरा बगीचा'],
    ['S.W.A.T. / AC-DC_9', 's w a t ac dc 9'],
    ['銀河鉄道 Express', '銀 河 鉄 道 express'],
    ['が ｶﾞ', 'が ガ'],
    ['서울의', '서 울 의'],
    ['🎬 … !!!', ''],
    ['a\0b\ud800c', 'a b c'],
  ])('folds %j to %j', (text, words) => {
    expect(wordsOf(text).join(' ')).toBe(words);
  });

  test('leaves its own words as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = wordsOf(text);
        expect(wordsOf(words.join(' '))).toEqual(words);
      }),
      { numRuns: 1000 },
    );
  });

  test('cuts a word after 64 characters and never inside of one', () => {
    expect(wordsOf('𐐷'.repeat(100))).toEqual(['𐐷'.repeat(64)]);
  });
});

const textOf = (terms: readonly QueryTerm[]): string | null => {
  const expression = matchExpression(terms);
  return expression && expressionText(expression);
};

describe('matchExpression', () => {
  test('joins terms with AND, alternatives with OR, and words of one term as a phrase', () => {
    const terms = [
      { text: 'Spider-Man', prefix: true },
      { text: 'gardn', alternatives: ['garden', 'garden', '?'] },
      { text: '銀河', prefix: true },
      { text: '&' },
    ];

    expect(textOf(terms)).toBe('"spider man" * AND ("gardn" OR "garden") AND "銀 河"');
  });

  test('leaves a place for the words with a long beginning', () => {
    const terms = [
      { text: 'Gar', prefix: true },
      { text: 'Garden', prefix: true },
    ];

    expect(matchExpression(terms)).toEqual({
      parts: ['"gar" *', ' AND ', { beginning: 'garden' }],
      phrases: [[{ words: ['gar'], isOpen: true }], [{ words: ['garden'], isOpen: true }]],
      titlePatterns: [[' gar'], [' garden']],
    });
  });

  test('is null when there is no word to look for', () => {
    expect(textOf([{ text: '" OR *' }])).toBe('"or"');
    expect(textOf([{ text: '"*' }, { text: '' }])).toBeNull();
    expect(textOf([])).toBeNull();
  });

  test('gives only words, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const expression = textOf([{ text, prefix: true }]) ?? '""';
        expect(expression).toMatch(/^"[^"*(){}:^+\-\0]*"( \*)?$/);
      }),
      { numRuns: 1000 },
    );
  });
});
