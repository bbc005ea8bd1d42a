import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jointParts, nameKey, splitFeatured, splitYear } from './entity-name.ts';

describe('names of entities', () => {
  test.each([
    ['artist', 'Beyoncé', 'BEYONCE'],
    ['artist', 'Beyoncé', 'Beyonce\u0301'],
    ['artist', 'The Beatles', 'Beatles, The'],
    ['artist', 'AC/DC', 'AC-DC'],
    ['artist', 'AC/DC', 'ＡＣ／ＤＣ'],
    ['artist', "Guns N' Roses", 'Guns N’ Roses'],
    ['artist', 'Simon & Garfunkel', 'Simon and Garfunkel'],
    ['artist', 'Die Ärzte', 'Arzte, Die'],
    ['person', 'J.R.R. Tolkien', 'Tolkien, J. R. R.'],
    ['person', 'Robert Downey Jr.', 'Robert Downey Jr'],
    ['album', 'What’s Going On?', "What's Going On"],
    ['genre', 'Hip-Hop', 'hip hop'],
  ])('of the type %s, %s and %s are the same', (type, one, other) => {
    expect(nameKey(type, one)).toBe(nameKey(type, other));
  });

  test.each([
    ['artist', 'M.I.A.', 'MIA.'],
    ['artist', 'The Band', 'Band'],
    ['artist', 'Pink', 'P!nk'],
    ['genre', 'R&B', 'RB'],
    ['album', '1999', '1999 (Deluxe)'],
    ['person', 'Martin Luther King, Jr.', 'Jr. Martin Luther King'],
    ['person', 'かがみ', 'かかみ'],
  ])('of the type %s, %s and %s are two', (type, one, other) => {
    expect(nameKey(type, one)).not.toBe(nameKey(type, other));
  });

  test('of nothing but punctuation stay as they are', () => {
    expect(nameKey('artist', '!!!')).toBe('!!!');
    expect(nameKey('artist', '...')).not.toBe('');
  });

  test('are compared in linear time, for any content', () => {
    const hostile = [
      ', '.repeat(2000),
      'the, '.repeat(800),
      ' & '.repeat(1300),
      '((feat. '.repeat(500),
    ];
    const began = performance.now();
    for (const name of hostile)
      for (const type of ['artist', 'person']) {
        nameKey(type, name);
        splitFeatured(name);
        splitYear(name);
        jointParts(name);
      }

    expect(performance.now() - began).toBeLessThan(200);
  });

  test('have one key, which is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const key = nameKey('artist', name);
        expect(nameKey('artist', name)).toBe(key);
        expect(key).toBe(key.trim());
      }),
    );
  });
});

describe('a credit', () => {
  test.each([
    ['Gorillaz feat. De La Soul', { lead: 'Gorillaz', featured: 'De La Soul' }],
    ['Santana (ft. Rob Thomas)', { lead: 'Santana', featured: 'Rob Thomas' }],
    ['A featuring B & C', { lead: 'A', featured: 'B & C' }],
    ['Little Feat', null],
    ['Feat. Nobody', null],
    ['Swift', null],
  ])('%s names who is featured', (name, split) => {
    expect(splitFeatured(name)).toEqual(split);
  });

  test.each([
    ['A & B', ['A', 'B']],
    ['A, B and C', ['A', 'B', 'C']],
    ['A; B', ['A', 'B']],
    ['AC/DC', []],
    ['Alone', []],
  ])('%s may stand for several', (name, parts) => {
    expect(jointParts(name)).toEqual(parts);
  });

  test('a year after a name is not part of the name', () => {
    expect(splitYear('Battlestar Galactica (2003)')).toEqual({
      name: 'Battlestar Galactica',
      year: 2003,
    });
    expect(splitYear('1923')).toBeNull();
  });
});
