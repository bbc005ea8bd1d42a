import { expect, test } from 'vitest';
import { joinTexts, quoted, say, textIn } from './text.ts';
import { languages, type WordKey } from './words/index.ts';

test('each language names the values that English names', () => {
  const named = (word: string) => [...word.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  const keys = Object.keys(languages.english.words) as readonly WordKey[];

  for (const { words } of Object.values(languages))
    for (const key of keys)
      expect(named(words[key]), key).toEqual(named(languages.english.words[key]));
});

test('a text is in the language of its reader, with its values in the same', () => {
  const text = say('doctor.answers', { status: say('doctor.inCage') });

  expect(['de', 'de-AT', 'en', 'fr', null].map((locale) => textIn(text, locale))).toEqual([
    ...['Er antwortet: in seinem Käfig.', 'Er antwortet: in seinem Käfig.'],
    ...['It answers: in its cage.', 'It answers: in its cage.', 'It answers: in its cage.'],
  ]);
  expect(say('doctor.answers', { status: '{status} $&' }).german).toBe(
    'Er antwortet: {status} $&.',
  );
  expect(joinTexts([quoted('a'), quoted(''), quoted('b')]).german).toBe('a b');
});
